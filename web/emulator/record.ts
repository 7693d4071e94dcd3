// Records what the emulator was asked, without secrets.
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import type { Json } from '../sdk/types/json.js';
import type { RecordedRequest } from './types.js';

const secretHeader = /^(?:authorization|cookie|proxy-authorization|x-.*(?:key|token|appcheck).*)$/i;
const secretParameter = /^(?:key|access_token|upload_id)$/;
const hidden = '[secret]';

/** Returns the record of a request: keys, tokens and cookies are replaced by `[secret]`. */
export function recordOf(request: Request, bytes: Uint8Array, status: number): RecordedRequest {
  const url = new URL(request.url);
  const query = [...url.searchParams].map(([name, value]) => {
    return `${name}=${secretParameter.test(name) ? hidden : value}`;
  });
  const headers = [...request.headers].map(([name, value]) => {
    return [name, secretHeader.test(name) ? hidden : value];
  });
  return {
    method: request.method,
    path: url.pathname + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(bytes.length > 0 && { body: bodyOf(bytes) }),
    status,
  };
}

/** Returns parsed JSON, else the text. */
function bodyOf(bytes: Uint8Array): Json {
  const text = decodeUtf8(bytes);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
