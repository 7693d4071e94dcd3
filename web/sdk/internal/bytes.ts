// Joins, decodes and encodes bytes.

const empty = new Uint8Array(0);

/** Returns one new array with all pieces in order. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let longest: Uint8Array = empty;
  let [start, length] = [0, 0];
  for (const piece of pieces) {
    if (piece.length > longest.length) [longest, start] = [piece, length];
    length += piece.length;
  }
  const { buffer, byteOffset } = longest;
  const from = byteOffset - start;
  // A new array is filled with zeros, a copy is not: the longest piece brings its surroundings, which the others replace.
  const isCopied = from >= 0 && from + length <= buffer.byteLength;
  const bytes = isCopied
    ? new Uint8Array(new Uint8Array(buffer, from, length))
    : new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    if (!isCopied || offset !== start) bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** Returns the bytes of an ArrayBuffer, or of a view with one-byte elements, from any realm; otherwise undefined. The result shares memory with `value`. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) {
    const { BYTES_PER_ELEMENT: size = 1 } = value as Partial<Uint8Array>;
    if (size > 1) return undefined;
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  const isBuffer = Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });
const fatal = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const documents = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: false });

/** Decodes a text and keeps a leading U+FEFF. Invalid UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/**
 * Decodes a text and keeps a leading U+FEFF.
 *
 * @throws TypeError for invalid UTF-8
 */
export const decodeValidUtf8 = (bytes: Uint8Array): string => fatal.decode(bytes);

/** Decodes a whole file or HTTP body and drops a leading byte order mark. */
export const decodeDocument = (bytes: Uint8Array): string => documents.decode(bytes);

/** Returns the JSON value of a whole file or HTTP body; undefined if it is none. */
export function parseDocument(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeDocument(bytes));
  } catch {
    return undefined;
  }
}

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
    from(text: string, form: 'base64'): Uint8Array<ArrayBuffer>;
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

const isPlainBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the bytes of base64; undefined for a text that is not base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { Buffer } = globalThis as NodeGlobals;
  // Many times as fast as atob, but it takes any text.
  if (Buffer && text.length % 4 === 0 && isPlainBase64.test(text))
    return new Uint8Array(Buffer.from(text, 'base64'));
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

/** Returns the FNV-1a hash of the UTF-16 units of a text, eight hexadecimal digits. Not for security. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
