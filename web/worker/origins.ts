// Decides which pages may call from a browser: those of the Worker's own origin and of listed ones.
import type { Env } from './env.js';
import { HttpError } from './http-error.js';

function isListed(origin: string, { ALLOWED_ORIGINS = '' }: Env): boolean {
  const listed = ALLOWED_ORIGINS.split(',').map((entry) => entry.trim());
  // Listing "null", which any sandboxed frame says, or "*" allows nobody.
  return origin.includes('://') && listed.includes(origin);
}

/** Throws where a page of another origin calls that is not listed. */
export function checkOrigin(request: Request, env: Env): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === new URL(request.url).origin || isListed(origin, env)) return;
  const message = 'Pages of this origin may not call: ALLOWED_ORIGINS does not list it';
  throw new HttpError(403, 'origin.not_allowed', message);
}

/** The same response, readable by the page that asked if its origin is listed. */
export function withCors(response: Response, request: Request, env: Env): Response {
  const allowed = new Response(response.body, response);
  const origin = request.headers.get('origin');
  if (origin !== null && isListed(origin, env)) {
    allowed.headers.set('access-control-allow-origin', origin);
  }
  allowed.headers.set('vary', 'origin');
  return allowed;
}

/** Whether a browser asks what a page of another origin may send. */
export function isPreflight(request: Request): boolean {
  const { headers, method } = request;
  return method === 'OPTIONS' && headers.has('origin') && headers.has(requestedMethod);
}

const requestedMethod = 'access-control-request-method';

/** The response to a preflight of a page that may call. */
export function preflight(): Response {
  const headers = {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type, accept',
    'access-control-max-age': '86400',
  };
  return new Response(null, { status: 204, headers });
}
