// Splits bytes into pieces that one value of SQLite in a Durable Object takes.

// A value may have 2 MB: https://developers.cloudflare.com/durable-objects/platform/limits/
const bytesPerPiece = 1_000_000;

/** Returns the bytes in pieces of at most 1 MB; one empty piece for no bytes. The pieces share memory with `bytes`. */
export function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / bytesPerPiece));
  return Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * bytesPerPiece, (i + 1) * bytesPerPiece),
  );
}
