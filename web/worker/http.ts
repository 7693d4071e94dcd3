// Reads the body of a request: JSON in UTF-8, up to a size limit.
import { decodeValidUtf8 } from '../sdk/base/utf8.js';
import { HttpError } from './http-error.js';

/** The largest body in bytes: room for a long conversation with its manifests, but not for a video. */
export const bodyLimit = 4 * 1024 * 1024;

const json = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/**
 * Rejects content types that a page of another site can send without a preflight: forms and plain text.
 *
 * @throws HttpError with the status 415
 */
export function checkContentType(request: Request): void {
  if (json.test(request.headers.get('content-type') ?? '')) return;
  const message = 'Send the body with content-type: application/json';
  throw new HttpError(415, 'content_type.unsupported', message);
}

/**
 * Returns the body as text, without a leading byte order mark. Stops reading after `bodyLimit` bytes.
 *
 * @throws HttpError with the status 413 or 400 if the body is too long or not UTF-8
 */
export async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > bodyLimit) {
      throw new HttpError(413, 'size.too_large', `The body is longer than ${bodyLimit} bytes`);
    }
    chunks.push(chunk);
  }
  return decodeBody(new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()));
}

// Rejects invalid UTF-8, which would otherwise be stored as U+FFFD.
function decodeBody(bytes: Uint8Array): string {
  try {
    return decodeValidUtf8(bytes).replace(/^\ufeff/, '');
  } catch {
    throw new HttpError(400, 'json.invalid_utf8', 'The body is not UTF-8');
  }
}
