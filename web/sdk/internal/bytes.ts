// Joins byte arrays, and finds the bytes in a value of any binary type.

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
