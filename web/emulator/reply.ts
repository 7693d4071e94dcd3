// Why this file exists: what all answers have in common: headers that let any page read them, and
// the one that says that no Google is behind them.
import type { Failure } from './errors.js';

const common = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'vary,content-encoding,date,server,content-length,x-prompt-strata-emulator',
  server: 'prompt-strata emulator',
  vary: 'Origin, X-Origin, Referer',
  'x-prompt-strata-emulator': '1',
};

const json = 'application/json; charset=UTF-8';

export function replyJson(value: unknown): Response {
  return reply(`${JSON.stringify(value, null, 2)}\n`, 200, json);
}

export function replyStream(body: ReadableStream<Uint8Array>, events: boolean): Response {
  return reply(body, 200, events ? 'text/event-stream' : json);
}

/** In an array where a JSON array was asked for, as the API does it. */
export function replyFailure(failure: Failure, inArray: boolean): Response {
  const value = inArray ? [failure] : failure;
  return reply(`${JSON.stringify(value, null, 2)}\n`, failure.code, json);
}

function reply(body: BodyInit, status: number, contentType: string): Response {
  return new Response(body, { status, headers: { ...common, 'content-type': contentType } });
}

const allowedHeaders = ['content-type', 'x-goog-api-key', 'x-goog-api-client', 'authorization'];

/** The answer to a page's preflight: a header that the API does not know is refused, as it does. */
export function replyPreflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers') ?? '';
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  const refused = names.some((name) => name !== '' && !allowedHeaders.includes(name));
  const headers = {
    ...common,
    'access-control-allow-headers': allowedHeaders.join(','),
    'access-control-allow-methods': 'GET,POST,PATCH,DELETE,OPTIONS',
    'access-control-max-age': '3600',
  };
  return new Response(null, refused ? { status: 403 } : { status: 200, headers });
}
