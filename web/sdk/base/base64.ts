// Encodes bytes as base64 or base64url, and decodes base64, where Uint8Array has no methods for it.

// The number of arguments that one call of String.fromCharCode can take.
const chunkSize = 0x8000;

/** Returns bytes as base64, with padding. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkSize));
  }
  return btoa(binary);
}

/** Returns bytes as base64url without padding. */
export const base64Url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Returns the bytes of base64; undefined for a text that is not base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
