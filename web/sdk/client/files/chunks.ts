// Reads the data of an upload chunk by chunk, from bytes, a Blob or a stream.
import { bytesOf, joinBytes } from '../../base/bytes.js';
import * as must from '../../base/options.js';

/** What can be uploaded. A stream is read once, and its size must be known. */
export type UploadSource = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

/** The data of one upload. */
export interface ChunkReader {
  readonly sizeBytes: number;
  /** Returns the bytes from `offset`, at most `length`. A stream is read in order. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Ends reading. */
  close(): void;
}

/**
 * Returns a reader for the data.
 *
 * @throws StrataError `field.invalid` for other data, or for a stream without `sizeBytes`
 */
export function chunksOf(data: UploadSource, sizeBytes: number | undefined): ChunkReader {
  const bytes = typeof data === 'object' && data !== null ? bytesOf(data) : undefined;
  if (bytes) return ofBytes(bytes);
  if (data instanceof Blob) return ofBlob(data);
  if (typeof Object(data).getReader !== 'function')
    throw must.invalidOption('/data', 'a Blob, bytes or a ReadableStream');
  if (sizeBytes === undefined) throw must.invalidOption('/sizeBytes', 'the size of the stream');
  return new StreamReader(data as ReadableStream<Uint8Array>, sizeBytes);
}

const ofBytes = (bytes: Uint8Array): ChunkReader => ({
  sizeBytes: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
  close: () => {},
});

const ofBlob = (blob: Blob): ChunkReader => ({
  sizeBytes: blob.size,
  read: async (offset, length) =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  close: () => {},
});

/** Reads a stream in order, and checks that it has as many bytes as was said. */
class StreamReader implements ChunkReader {
  readonly sizeBytes: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = new Uint8Array(0);

  constructor(stream: ReadableStream<Uint8Array>, sizeBytes: number) {
    this.sizeBytes = sizeBytes;
    this.#reader = stream.getReader();
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const wanted = Math.min(length, this.sizeBytes - offset);
    const isLast = offset + wanted === this.sizeBytes;
    const pieces: Uint8Array[] = [this.#rest];
    let available = this.#rest.length;
    // The last read goes on to the end, to find bytes that are too many.
    while (available < wanted || (isLast && available === wanted)) {
      const { value } = await this.#reader.read();
      if (!value) break;
      pieces.push(value);
      available += value.length;
    }
    if (available < wanted || (isLast && available > wanted)) throw this.#wrongSize();
    const all = joinBytes(pieces);
    this.#rest = all.slice(wanted);
    return all.subarray(0, wanted);
  }

  close(): void {
    this.#reader.cancel().catch(() => {});
  }

  #wrongSize() {
    return must.invalidOption('/sizeBytes', `the size of the stream, not ${this.sizeBytes}`);
  }
}
