// Puts together who may call the gateway: origins, keys, limits, and the administrator.
import { equalSecrets } from '../sdk/internal/digest.js';
import { isPreflight, AllowedOrigins, preflightResponse } from '../server/origins.js';
import { CallerKeys, type Caller, type Callers } from './callers.js';
import { GatewayError } from './gateway-error.js';
import { exposedHeaders, securityHeaders } from './headers.js';
import { Limits, type GatewayLimits } from './limits.js';

/** What decides who may call. */
export interface AccessOptions {
  /** Whether the gateway has a key or a token for the upstream. */
  paysUpstream: boolean;
  callers?: Callers | undefined;
  /** The deployment's secret. */
  secret?: string | Uint8Array | undefined;
  /** Origins whose pages may call, as browsers send them. Default: none. */
  origins?: readonly string[] | undefined;
  limits?: GatewayLimits | undefined;
  /** The key of `/metrics`. Without it there is no such route. */
  adminKey?: string | undefined;
}

/** Who may call, and how much. */
export interface Access {
  /** @throws GatewayError with the status 401 or 503 */
  authenticate(request: Request): Promise<Caller>;
  readonly limits: Limits;
  /**
   * Returns the response to a preflight, undefined for any other request.
   *
   * @throws GatewayError with the status 403 if the request comes from a page whose origin is not listed
   */
  checkOrigin(request: Request): Response | undefined;
  /** Returns the response with the headers for pages and those that protect browsers. */
  finish(response: Response, request: Request): Response;
  /** @throws GatewayError with the status 404 without an admin key, 401 if it was not sent */
  checkAdmin(request: Request): Promise<void>;
}

/** Names that a page may ask for: a preflight can't make the gateway repeat anything else. */
function requestedHeaders({ headers }: Request): string {
  const names = (headers.get('access-control-request-headers') ?? '').split(',');
  const known = names.map((name) => name.trim().toLowerCase());
  return known
    .filter((name) => /^[a-z0-9-]{1,64}$/.test(name))
    .slice(0, 40)
    .join(', ');
}

function checkOrigin(origins: AllowedOrigins, request: Request): Response | undefined {
  // The gateway serves no page, so its own origin is none of its callers': a page of that origin came here by DNS.
  if (request.headers.has('origin') && origins.of(request) === undefined)
    throw new GatewayError(
      403,
      'origin.not_allowed',
      'Pages of this origin may not call: the gateway does not list it in "origins".',
    );
  if (!isPreflight(request)) return undefined;
  return preflightResponse('GET, POST, PATCH, DELETE', requestedHeaders(request));
}

async function checkAdmin(adminKey: string | undefined, request: Request): Promise<void> {
  if (!adminKey) throw new GatewayError(404, 'route.unknown', 'There is no such route.');
  const [, sent = ''] = /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (await equalSecrets(sent, adminKey)) return;
  throw new GatewayError(
    401,
    'admin.key_wrong',
    'Send the admin key of this gateway as "authorization: Bearer <key>".',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}

/** Creates what decides who may call. */
export function createAccess(options: AccessOptions): Access {
  const { paysUpstream, callers, secret, limits, adminKey } = options;
  const origins = new AllowedOrigins(options.origins ?? []);
  const keys = new CallerKeys({ paysUpstream, callers, secret });
  return {
    authenticate: (request) => keys.authenticate(request),
    limits: new Limits(limits),
    checkOrigin: (request) => checkOrigin(origins, request),
    finish(response, request) {
      const finished = origins.withCors(response, request, exposedHeaders);
      for (const [name, value] of Object.entries(securityHeaders))
        finished.headers.set(name, value);
      return finished;
    },
    checkAdmin: (request) => checkAdmin(adminKey, request),
  };
}
