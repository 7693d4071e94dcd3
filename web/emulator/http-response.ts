// Creates HTTP responses with the common headers: CORS, and the header that identifies the emulator.
import type { Failure } from './errors.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import type { Json } from '../sdk/types/json.js';
import type { RecordedRequest } from './types.js';

const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'vary,content-encoding,date,server,content-length,x-prompt-strata-emulator,x-goog-upload-status,' +
    'x-goog-upload-url,x-goog-upload-size-received,x-goog-upload-chunk-granularity',
  server: 'prompt-strata emulator',
  vary: 'Origin, X-Origin, Referer',
  'x-prompt-strata-emulator': '1',
};

const json = 'application/json; charset=UTF-8';

/** Returns a JSON response. */
export function replyJson(value: unknown): Response {
  return reply(`${JSON.stringify(value, null, 2)}\n`, 200, json);
}

/** Returns a response of the upload service, with a JSON body if there is a value. */
export function replyUpload(value: unknown, headers: Record<string, string>): Response {
  const body = value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`;
  const response = reply(body, 200, json);
  for (const [name, text] of Object.entries(headers)) response.headers.set(name, text);
  return response;
}

/** Returns a streamed response: server-sent events, or a JSON array. */
export function replyStream(body: ReadableStream<Uint8Array>, events: boolean): Response {
  return reply(body, 200, events ? 'text/event-stream' : json);
}

/** The form of an error: Google's, the same in an array as in JSON array streams, or the word of the Interactions API. */
export type ErrorForm = 'object' | 'array' | 'word';

/** Returns an error response. */
export function replyFailure(failure: Failure, form: ErrorForm): Response {
  const value =
    form === 'word' ? { error: failure.inWord() } : form === 'array' ? [failure] : failure;
  return reply(`${JSON.stringify(value, null, 2)}\n`, failure.code, json);
}

function reply(body: BodyInit, status: number, contentType: string): Response {
  return new Response(body, { status, headers: { ...commonHeaders, 'content-type': contentType } });
}

const allowedHeaders = [
  'content-type',
  'x-goog-api-key',
  'x-goog-api-client',
  'authorization',
  'x-goog-upload-protocol',
  'x-goog-upload-command',
  'x-goog-upload-offset',
  'x-goog-upload-header-content-length',
  'x-goog-upload-header-content-type',
];

/** Answers a CORS preflight request. Like the API, it rejects unknown headers. */
export function replyPreflight(request: Request): Response {
  const requested = request.headers.get('access-control-request-headers') ?? '';
  const names = requested.split(',').map((name) => name.trim().toLowerCase());
  const isRejected = names.some((name) => name !== '' && !allowedHeaders.includes(name));
  const headers = {
    ...commonHeaders,
    'access-control-allow-headers': allowedHeaders.join(','),
    'access-control-allow-methods': 'GET,POST,PATCH,DELETE,OPTIONS',
    'access-control-max-age': '3600',
  };
  return new Response(null, isRejected ? { status: 403 } : { status: 200, headers });
}

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
