// Reads the body of a request: JSON as UTF-8, up to a size.
import { HttpError } from './http-error.js';

/** Bytes that a request may have: a long conversation with its manifests, not a film. */
export const bodyLimit = 4 * 1024 * 1024;

const json = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** Refuses what a page of another site may send without a preflight: forms and plain text. */
export function checkContentType(request: Request): void {
  if (json.test(request.headers.get('content-type') ?? '')) return;
  const message = 'Send the body with content-type: application/json';
  throw new HttpError(415, 'content_type.unsupported', message);
}

/** The body as text; refused as soon as it is longer than `bodyLimit`. */
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
  return decoded(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

// Refused rather than stored with replacement characters.
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpError(400, 'json.invalid_utf8', 'The body is not UTF-8');
  }
}
