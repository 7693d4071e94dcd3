// Computes short hashes for names that only need to differ when their texts differ.

/** Returns the FNV-1a hash of the UTF-16 units of a text, eight hexadecimal digits. Not for security. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
