// Why this file exists: bytes come in pieces, from the core, from files and from streams.

/** One array with all pieces, one behind the other. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The bytes of an ArrayBuffer or of a view whose elements are bytes, of any realm; else undefined. */
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
