// Compresses bytes as raw deflate, and unpacks them up to a limit, with what the browser provides.

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      void reader.cancel().catch(() => {});
      throw new RangeError(`more than ${limit} bytes`);
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function through(bytes: Uint8Array, transform: GenericTransformStream): ReadableStream<Uint8Array> {
  return new Blob([bytes as BlobPart]).stream().pipeThrough(transform);
}

/** Returns bytes as raw deflate. */
export const deflate = (bytes: Uint8Array): Promise<Uint8Array> =>
  collect(through(bytes, new CompressionStream('deflate-raw')), Infinity);

/**
 * Unpacks raw deflate. Stops as soon as the result is longer than `limit` bytes.
 *
 * @throws RangeError if the result is too long
 * @throws TypeError if the bytes are damaged or end early
 */
export const inflate = (bytes: Uint8Array, limit: number): Promise<Uint8Array> =>
  collect(through(bytes, new DecompressionStream('deflate-raw')), limit);
