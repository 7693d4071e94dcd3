// Checks the origin of browser requests: the Worker's own origin and those of ALLOWED_ORIGINS may call.
import { HttpError } from '../server/body.js';
import { AllowedOrigins, preflightResponse } from '../server/origins.js';
import { listOf, type Env } from './env.js';

const listed = ({ ALLOWED_ORIGINS }: Env) => new AllowedOrigins(listOf(ALLOWED_ORIGINS));

/**
 * Rejects a request from a page whose origin may not call.
 *
 * @throws HttpError with the status 403
 */
export function checkOrigin(request: Request, env: Env): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === new URL(request.url).origin) return;
  if (listed(env).of(request) !== undefined) return;
  const message = 'Pages of this origin may not call: ALLOWED_ORIGINS does not list it';
  throw new HttpError(403, 'origin.not_allowed', message);
}

// What pages of listed origins may read besides the body.
const exposed = 'link, location, retry-after, x-next, x-send';

/** Returns the response with CORS headers, so that pages of listed origins can read it. */
export const withCors = (response: Response, request: Request, env: Env): Response =>
  listed(env).withCors(response, request, exposed);

const requestHeaders =
  'authorization, x-goog-api-key, content-type, accept, last-event-id, idempotency-key, prefer';

/** Returns the response to a preflight whose origin `checkOrigin` accepted. */
export const preflight = (): Response => preflightResponse('GET, POST, DELETE', requestHeaders);
