// Reads the body of a request: JSON in UTF-8, within limits of size, time, depth and number of values.
import { checkShape, maxDepth } from '../gateway/body.js';
import { decodeValidUtf8 } from '../sdk/internal/bytes.js';
import { checkJsonType, readBody, HttpError } from '../server/body.js';

/** The largest body in bytes: room for a long conversation with its manifests, but not for a video. */
export const bodyLimit = 4 * 1024 * 1024;

/** The most values of a body, as `maxBodyValues` of the gateway counts them: an isolate has 128 MB for all callers. */
export const valueLimit = 200_000;

/** Milliseconds in which a body must have arrived. */
export const bodyTimeoutMs = 60_000;

/**
 * Returns the body as text, without a leading byte order mark. '' is a request without a body, which needs no content
 * type.
 *
 * @throws HttpError with the status 415, 413, 408 or 400
 */
export async function readText(request: Request): Promise<string> {
  if (request.body === null && !request.headers.has('content-type')) return '';
  checkJsonType(request);
  const bytes = await readBody(request, { bytes: bodyLimit, ms: bodyTimeoutMs });
  checkShape(bytes, { depth: maxDepth, values: valueLimit });
  return decodeBody(bytes);
}

// Rejects invalid UTF-8, which would otherwise be stored as U+FFFD.
function decodeBody(bytes: Uint8Array): string {
  try {
    return decodeValidUtf8(bytes).replace(/^\ufeff/, '');
  } catch {
    throw new HttpError(400, 'json.invalid_utf8', 'The body is not UTF-8.');
  }
}
