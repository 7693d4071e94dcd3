// Reads the body of a request: JSON in UTF-8, up to a size limit.
import { decodeValidUtf8 } from '../sdk/base/utf8.js';
import { readBody } from '../sdk/server/body.js';
import { HttpError } from '../sdk/server/http-error.js';

/** The largest body in bytes: room for a long conversation with its manifests, but not for a video. */
export const bodyLimit = 4 * 1024 * 1024;

/**
 * Returns the body as text, without a leading byte order mark. Stops reading after `bodyLimit` bytes.
 *
 * @throws HttpError with the status 413 or 400 if the body is too long or not UTF-8
 */
export async function readText(request: Request): Promise<string> {
  return decodeBody(await readBody(request, { bytes: bodyLimit }));
}

// Rejects invalid UTF-8, which would otherwise be stored as U+FFFD.
function decodeBody(bytes: Uint8Array): string {
  try {
    return decodeValidUtf8(bytes).replace(/^\ufeff/, '');
  } catch {
    throw new HttpError(400, 'json.invalid_utf8', 'The body is not UTF-8');
  }
}
