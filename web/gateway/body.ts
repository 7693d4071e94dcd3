// Reads JSON bodies within the gateway's limits: type, size, time and depth.
import * as must from '../sdk/internal/options.js';
import { checkJsonType, readBody, HttpError } from '../server/body.js';
import { readerOf } from '../sdk/client/http.js';
import { maxAnswerBytes } from '../sdk/client/response-body.js';
import { KeyGuard } from './key-guard.js';

/** Limits of the body of a request. The chunk of a file that is uploaded may have any type and 64 MiB. */
export interface BodyLimitOptions {
  /** The largest body. Default: 20 MiB; Google takes up to 100 MB. */
  maxBodyBytes?: number;
  /**
   * The most values of a body that is validated or converted, counted as its commas and opening brackets outside of
   * strings. The work and the memory that a body takes grow with it. Default: 500,000, which no context window of
   * 1,048,576 tokens holds.
   */
  maxBodyValues?: number;
  /** Milliseconds in which a body must have arrived. Default: 60000. */
  bodyTimeoutMs?: number;
}

/** The check of each limit. */
export const bodyLimitShape: must.Shape<BodyLimitOptions> = {
  maxBodyBytes: must.optional(must.count),
  maxBodyValues: must.optional(must.count),
  bodyTimeoutMs: must.optional(must.count),
};

const defaultBytes = 20 * 1024 * 1024;
const defaultMs = 60_000;

/** The default of `maxBodyValues`. */
export const defaultValues = 500_000;

/** The deepest nesting of a body, which is the core's limit. Google's parser takes half of it. */
export const maxDepth = 200;

const quote = 0x22;
const backslash = 0x5c;

// Returns the index of the quote that ends the string which begins at `start`; the length without one.
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

/** What the shape of a body may be. */
interface ShapeLimits {
  /** Default: any. */
  depth?: number;
  /** Default: any. */
  values?: number;
}

const tooDeep = (depth: number) =>
  new HttpError(400, 'json.too_deep', `Containers nest more than ${depth} deep.`);

/**
 * Returns the error for a body with more values than these.
 *
 * @internal
 */
export const tooManyValues = (values: number): HttpError =>
  new HttpError(
    413,
    'size.too_many_values',
    `The body has more than ${values} values. Send fewer, larger ones, or fewer Contents.`,
  );

/**
 * Checks how deep containers nest and how many values there are. Reads no grammar.
 *
 * @throws HttpError with the status 400 or 413
 */
export function checkShape(
  bytes: Uint8Array,
  { depth: maxDepth = Infinity, values: maxValues = Infinity }: ShapeLimits,
): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    // { and [, then } and ], then the comma.
    else if (byte === 0x7b || byte === 0x5b) {
      values++;
      if (++depth > maxDepth) throw tooDeep(maxDepth);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x2c) values++;
    if (values > maxValues) throw tooManyValues(maxValues);
  }
}

/**
 * Reads a JSON body. Its grammar and its shape are not checked.
 *
 * @throws HttpError with the status 415, 413, 408 or 400
 */
export async function readTypedBody(
  request: Request,
  { maxBodyBytes = defaultBytes, bodyTimeoutMs = defaultMs }: BodyLimitOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  checkJsonType(request);
  return readBody(request, { bytes: maxBodyBytes, ms: bodyTimeoutMs });
}

/**
 * Reads a JSON body that the core does not see; its grammar is not checked.
 *
 * @throws HttpError with the status 415, 413, 408 or 400
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimitOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readTypedBody(request, limits);
  checkShape(bytes, { depth: maxDepth });
  return bytes;
}

/** What a body is passed on with. */
interface BoundedBodyOptions {
  /** Texts that the body must not hold. It is no answer of a model, which may say anything. */
  secrets: readonly string[];
  /** Called where the body breaks off or is cancelled, with the error or the reason. */
  broken: (reason: unknown) => void;
}

/** Returns the body of a response, which breaks off if it is too long. Cancelling it cancels the response. */
export function boundedBody(
  response: Response,
  { secrets, broken }: BoundedBodyOptions,
): ReadableStream<Uint8Array> {
  const reader = readerOf(response);
  const guard = new KeyGuard(secrets);
  let size = 0;
  const see = (bytes: Uint8Array) => {
    size += bytes.length;
    if (size > maxAnswerBytes)
      throw new RangeError(`The answer is longer than ${maxAnswerBytes} bytes`);
    return true;
  };
  const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const bytes = await guard.read(reader, see);
      if (bytes) return out.enqueue(bytes);
      const rest = guard.end(true);
      if (rest.length > 0) out.enqueue(rest);
      out.close();
    } catch (error) {
      broken(error);
      void reader?.cancel().catch(() => {});
      throw error;
    }
  };
  const cancel = async (reason: unknown) => {
    broken(reason);
    await reader?.cancel(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
