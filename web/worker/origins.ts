// Checks the origin of browser requests: the Worker's own origin and those of ALLOWED_ORIGINS may call.
import type { Env } from './env.js';
import { HttpError } from './http-error.js';

function isListed(origin: string, { ALLOWED_ORIGINS = '' }: Env): boolean {
  const listed = ALLOWED_ORIGINS.split(',').map((entry) => entry.trim());
  // Entries without "://" match nothing: any sandboxed frame sends the origin "null", and "*" is not supported.
  return origin.includes('://') && listed.includes(origin);
}

/**
 * Rejects a request from a page whose origin may not call.
 *
 * @throws HttpError with the status 403
 */
export function checkOrigin(request: Request, env: Env): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === new URL(request.url).origin || isListed(origin, env)) return;
  const message = 'Pages of this origin may not call: ALLOWED_ORIGINS does not list it';
  throw new HttpError(403, 'origin.not_allowed', message);
}

/** Returns the response with CORS headers, so that pages of listed origins can read it. */
export function withCors(response: Response, request: Request, env: Env): Response {
  const allowed = new Response(response.body, response);
  const origin = request.headers.get('origin');
  if (origin !== null && isListed(origin, env)) {
    allowed.headers.set('access-control-allow-origin', origin);
  }
  allowed.headers.set('vary', 'origin');
  return allowed;
}

/** Returns whether the request is a CORS preflight. */
export function isPreflight(request: Request): boolean {
  const { headers, method } = request;
  return method === 'OPTIONS' && headers.has('origin') && headers.has(requestedMethod);
}

const requestedMethod = 'access-control-request-method';

/** Returns the response to a preflight whose origin `checkOrigin` accepted. */
export function preflightResponse(): Response {
  const headers = {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type, accept',
    'access-control-max-age': '86400',
  };
  return new Response(null, { status: 204, headers });
}
