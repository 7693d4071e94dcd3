// Uploads a file with Google's resumable protocol
// (https://developers.google.com/streetview/publish/resumable-uploads describes it): one request opens the upload, then
// each chunk says where it begins, and the last one ends the upload.
import type { Endpoint } from '../../endpoint.js';
import { callOptions, type CallOptions, type Http, type HttpRequest } from '../../http.js';
import { sendAgain } from '../../send-again.js';
import { chunksOf, type ChunkReader, type UploadSource } from './chunks.js';
import { fileOf } from './file-of.js';
import { abortable } from '../../../internal/lifetime.js';
import { GeminiError } from '../../../internal/errors.js';
import * as must from '../../../internal/options.js';
import type { GeminiFile } from '../../../types/gemini/resources.js';

export type { UploadBlob, UploadSource, UploadStream } from './chunks.js';

/** How much of a file the API has. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

/** Options of `upload`. */
export interface UploadOptions extends CallOptions {
  /** Required, unless `data` is a Blob or a File with a type. */
  mimeType?: string;
  /** A name for people, at most 512 characters. */
  displayName?: string;
  /** The id: up to 40 of `a-z`, `0-9` and `-`. Default: the API chooses one. */
  name?: string;
  /** The number of bytes. Required for a ReadableStream. */
  sizeBytes?: number;
  /**
   * The number of bytes per request, rounded up to a multiple of 262,144. One chunk is held in memory.
   * Default: 8,388,608.
   */
  chunkBytes?: number;
  /** Called after each chunk. */
  onProgress?: (progress: UploadProgress) => void;
}

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
 *
 * @internal
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
