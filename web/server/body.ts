// Defines the error for a request that a server rejects.
import { joinBytes } from '../sdk/internal/bytes.js';
import { Watch } from '../sdk/internal/lifetime.js';

/**
 * The status, code, message and headers of the response to a rejected request.
 *
 * @internal
 */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Limits of a body.
 *
 * @internal
 */
interface BodyLimits {
  /** The largest body in bytes. */
  bytes: number;
  /** Milliseconds for the whole body; 0: no limit. */
  ms?: number;
}

const json = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/**
 * Rejects content types that a page of another site can send without a preflight: forms and plain text.
 *
 * @throws HttpError with the status 415
 *
 * @internal
 */
export function checkJsonType(request: Request): void {
  if (json.test(request.headers.get('content-type') ?? '')) return;
  const message = 'Send the body with content-type: application/json.';
  throw new HttpError(415, 'content_type.unsupported', message);
}

// No server here decodes bodies, and the encoded bytes are not what was meant.
function checkEncoding({ headers }: Request): void {
  if (/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) return;
  const message =
    'Send the body as it is, without content-encoding: encoded bodies are not decoded';
  throw new HttpError(415, 'content_type.unsupported', message, { 'accept-encoding': 'identity' });
}

const tooLarge = (bytes: number) =>
  new HttpError(413, 'size.too_large', `The body is longer than ${bytes} bytes.`);

const tooSlow = (ms: number) =>
  new HttpError(408, 'body.timeout', `The body did not arrive within ${ms} ms.`, {
    connection: 'close',
  });

/**
 * Reads a body. Stops reading where a limit is exceeded.
 *
 * @throws HttpError with the status 415 if the body is compressed, 413 or 408 if it is too long or too slow, 400 if it
 *   breaks off
 *
 * @internal
 */
export async function readBody(
  request: Request,
  { bytes, ms = 0 }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  checkEncoding(request);
  if (Number(request.headers.get('content-length') ?? 0) > bytes) throw tooLarge(bytes);
  const reader = (await bodyOf(request))?.getReader();
  if (!reader) return new Uint8Array();
  const watch = new Watch(undefined, ms, () => tooSlow(ms));
  try {
    return await watch.waitLast(readChunks(reader, bytes));
  } catch (error) {
    // The rest is not read: a reader that does not care whether its stream can be cancelled.
    void reader.cancel(error).catch(() => {});
    if (error instanceof HttpError) throw error;
    throw new HttpError(400, 'body.incomplete', 'The body broke off.');
  }
}

// In Firefox, requests have no `body`. They never come from a network there, so that their body is in memory.
async function bodyOf(request: Request): Promise<Request['body']> {
  return 'body' in request ? request.body : new Response(await (request as Request).blob()).body;
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(read.value);
  }
  const [first] = chunks;
  return first && chunks.length === 1 ? first : joinBytes(chunks);
}
