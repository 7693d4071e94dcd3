// Joins byte arrays, and finds the bytes in a value of any binary type.

/** Returns one new array with all pieces in order. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let offset = 0;
  for (const piece of pieces) offset += piece.length;
  const bytes = new Uint8Array(offset);
  offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
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
