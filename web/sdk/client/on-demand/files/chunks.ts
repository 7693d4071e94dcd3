// Reads the data of an upload chunk by chunk, from bytes, a Blob or a stream.
import { bytesOf, joinBytes } from '../../../internal/bytes.js';
import * as must from '../../../internal/options.js';

/** A Blob or a File of the runtime. */
export interface UploadBlob {
  readonly size: number;
  readonly type: string;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** A ReadableStream of bytes of the runtime. */
export interface UploadStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** What can be uploaded: a Blob or a File, bytes, or a ReadableStream, which is read once and whose size must be known. */
export type UploadSource = UploadBlob | Uint8Array | ArrayBuffer | UploadStream;

/**
 * The data of one upload.
 *
 * @internal
 */
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
 * @internal
 * @throws StrataError `field.invalid` for other data, or for a stream without `sizeBytes`
 */
export function chunksOf(data: UploadSource, sizeBytes: number | undefined): ChunkReader {
  const bytes = typeof data === 'object' && data !== null ? bytesOf(data) : undefined;
  if (bytes) return ofBytes(bytes);
  if (isBlob(data)) return ofBlob(data);
  if (!isStream(data)) throw must.invalidOption('/data', 'a Blob, bytes or a ReadableStream');
  if (sizeBytes === undefined) throw must.invalidOption('/sizeBytes', 'the size of the stream');
  return new StreamReader(data, sizeBytes);
}

// `instanceof` does not recognize those of another realm or polyfill.
const isBlob = (data: unknown): data is UploadBlob =>
  typeof Object(data).arrayBuffer === 'function' && typeof Object(data).slice === 'function';

const isStream = (data: unknown): data is UploadStream =>
  typeof Object(data).getReader === 'function';

const ofBytes = (bytes: Uint8Array): ChunkReader => ({
  sizeBytes: bytes.length,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
  close: () => {},
});

const ofBlob = (blob: UploadBlob): ChunkReader => ({
  sizeBytes: blob.size,
  read: async (offset, length) =>
    new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  close: () => {},
});

/** Reads a stream in order, and checks that it has as many bytes as was said. */
class StreamReader implements ChunkReader {
  readonly sizeBytes: number;
  readonly #reader: ReturnType<UploadStream['getReader']>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(stream: UploadStream, sizeBytes: number) {
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
