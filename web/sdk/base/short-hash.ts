// Why this file exists: names that must differ where their texts do, and need no secrecy.

/** FNV-1a in eight hexadecimal digits: the same for equal texts, almost never for different ones. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
