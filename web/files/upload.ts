// Uploads a file with Google's resumable protocol
// (https://developers.google.com/streetview/publish/resumable-uploads describes it): one request opens the upload, then
// each chunk says where it begins, and the last one ends the upload.
import type {
  UploadBlob,
  UploadOptions,
  UploadSource,
  UploadStream,
} from '../sdk/client/resources.js';
import type { Endpoint } from '../sdk/client/endpoint.js';
import { callOptions, type CallOptions, type Http, type HttpRequest } from '../sdk/client/http.js';
import { sendAgain } from '../sdk/client/send-again.js';
import { abortable } from '../sdk/internal/lifetime.js';
import { GeminiError } from '../sdk/internal/errors.js';
import * as must from '../sdk/internal/options.js';
import type { GeminiFile } from '../sdk/types/gemini/resources.js';
import { bytesOf, joinBytes } from '../sdk/internal/bytes.js';
import type { Json } from '../sdk/types/json.js';

const uploadOptions: must.Shape<UploadOptions> = {
  ...callOptions,
  mimeType: must.optional(must.nonEmptyString),
  displayName: must.optional(must.string),
  name: must.optional(must.nonEmptyString),
  sizeBytes: must.optional(must.count),
  chunkBytes: must.optional(must.count),
  onProgress: must.optional(must.func),
};

const defaultChunk = 8 * 1024 * 1024;
const defaultGranularity = 256 * 1024;

/** One upload that the API has opened. */
interface Session {
  http: Http;
  url: string;
  chunks: ChunkReader;
  chunkBytes: number;
  call: CallOptions;
}

/**
 * Uploads `data` and returns the file. Throws as `Files.upload` says.
 */
export async function upload(
  http: Http,
  endpoint: Endpoint,
  data: UploadSource,
  options: UploadOptions = {},
): Promise<GeminiFile> {
  must.checkOptions(options, uploadOptions);
  const chunks = chunksOf(data, options.sizeBytes);
  try {
    const session = await open(http, endpoint, chunks, mimeTypeOf(data, options), options);
    for (let offset = 0; ;) {
      const { sentBytes, answer } = await sendChunk(session, offset);
      options.onProgress?.({ sentBytes, totalBytes: chunks.sizeBytes });
      if (answer) return fileOf(Object(await http.parse(answer)).file ?? null);
      offset = sentBytes;
    }
  } finally {
    chunks.close();
  }
}

function mimeTypeOf(data: UploadSource, { mimeType }: UploadOptions): string {
  const own: unknown = 'type' in data ? data.type : undefined;
  // The Blob of a response has parameters, which are no part of the API's mimeType.
  const type = mimeType ?? (typeof own === 'string' ? own.split(';')[0]?.trim() : '');
  if (type) return type;
  throw must.invalidOption('/mimeType', 'given, because the data does not name its type');
}

async function open(
  http: Http,
  endpoint: Endpoint,
  chunks: ChunkReader,
  mimeType: string,
  { name, displayName, chunkBytes = defaultChunk, signal, onRetry }: UploadOptions,
): Promise<Session> {
  const id = name?.includes('/') === false ? `files/${name}` : name;
  const file = { name: id, displayName };
  const call = { signal, onRetry };
  const response = await http.send({
    ...call,
    method: 'POST',
    url: `${endpoint.root}/upload/${endpoint.apiVersion}/files`,
    body: new TextEncoder().encode(JSON.stringify({ file })),
    headers: {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(chunks.sizeBytes),
      'x-goog-upload-header-content-type': mimeType,
    },
  });
  const location = response.headers.get('x-goog-upload-url');
  await response.body?.cancel();
  if (location === null)
    throw new GeminiError(
      'answer.invalid',
      'The API opened no upload: no header x-goog-upload-url can be read',
    );
  const granularity =
    Number(response.headers.get('x-goog-upload-chunk-granularity')) || defaultGranularity;
  const size = Math.max(1, Math.ceil(chunkBytes / granularity)) * granularity;
  return { http, url: ownUrl(endpoint, location), chunks, chunkBytes: size, call };
}

// Keeps the key and the file at the host that the caller named: behind a proxy, the API names its own.
function ownUrl(endpoint: Endpoint, location: string): string {
  const { root } = endpoint;
  // In a page, the address of a proxy may be a path.
  const base = new URL(root, globalThis.location?.href);
  const url = new URL(location, base);
  return url.origin === base.origin ? url.href : root + url.pathname + url.search;
}

/** What the API has of an upload, and its answer once that is the whole file. */
interface Received {
  sentBytes: number;
  answer?: Response;
}

/** Sends the chunk at `offset`. A chunk whose request failed continues where the API says that it stopped. */
async function sendChunk(session: Session, offset: number): Promise<Received> {
  const { http, chunks, call } = session;
  const bytes = await abortable(chunks.read(offset, session.chunkBytes), call.signal);
  const end = offset + bytes.length;
  const command = end === chunks.sizeBytes ? 'upload, finalize' : 'upload';
  let start = offset;
  let hasFailed = false;
  const attempt = async (): Promise<Received> => {
    if (hasFailed) {
      const { sentBytes, answer } = await query(session);
      if (answer) return { sentBytes: end, answer };
      // Any other number cannot be right.
      if (sentBytes >= start && sentBytes <= end) start = sentBytes;
    }
    hasFailed = true;
    const body = bytes.subarray(start - offset);
    const answer = await http.once(requestOf(session, command, { start, body }));
    if (end === chunks.sizeBytes || isFinal(answer)) return { sentBytes: end, answer };
    await answer.body?.cancel();
    return { sentBytes: end };
  };
  return http.retried(attempt, call, sendAgain.chunk);
}

const isFinal = ({ headers }: Response) => headers.get('x-goog-upload-status') === 'final';

function requestOf(
  { url, call }: Session,
  command: string,
  chunk?: { start: number; body: Uint8Array },
): HttpRequest {
  const headers: Record<string, string> = { 'x-goog-upload-command': command };
  if (!chunk) return { ...call, method: 'POST', url, headers };
  headers['x-goog-upload-offset'] = String(chunk.start);
  headers['content-type'] = 'application/octet-stream';
  return { ...call, method: 'POST', url, headers, body: chunk.body };
}

/** Asks how many bytes of an upload have arrived: NaN if the answer does not say so, or a page cannot read it. */
async function query(session: Session): Promise<Received> {
  const answer = await session.http.once(requestOf(session, 'query'));
  if (isFinal(answer)) return { sentBytes: NaN, answer };
  await answer.body?.cancel();
  return { sentBytes: Number(answer.headers.get('x-goog-upload-size-received') ?? NaN) };
}

/**
 * The data of one upload.
 */
interface ChunkReader {
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

function isFile(value: Json): value is Json & GeminiFile {
  return typeof Object(value).name === 'string';
}

/**
 * Returns the file.
 *
 * @throws GeminiError `answer.invalid` if the value has no name
 */
export function fileOf(value: Json): GeminiFile {
  if (isFile(value)) return value;
  throw new GeminiError('answer.invalid', 'The response of the API is not a file');
}
