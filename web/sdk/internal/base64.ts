// Encodes bytes as base64 or base64url, and decodes base64, where Uint8Array has no methods for it.

// Below the number of arguments that one call of String.fromCharCode can take; divisible by 3, so that the texts of
// chunks can be joined.
const chunkSize = 0x7ffe;

/** What a runtime may have: newer ones a method of Uint8Array, Node and Bun the class Buffer. */
interface Native {
  toBase64?: () => string;
}
interface NodeGlobals {
  Buffer?: {
    from(buffer: ArrayBufferLike, at: number, length: number): { toString(form: 'base64'): string };
  };
}

/** Returns bytes as base64, with padding. */
export function base64(bytes: Uint8Array): string {
  const native = bytes as Uint8Array & Native;
  if (native.toBase64) return native.toBase64();
  const { Buffer } = globalThis as NodeGlobals;
  // Many times as fast as btoa, which a file of some megabytes would block for a second.
  if (Buffer) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  let text = '';
  for (let start = 0; start < bytes.length; start += chunkSize) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + chunkSize)));
  }
  return text;
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
