// Decides who calls, from where, and within which limits.
import { HttpError } from '../server/body.js';
import { AllowedOrigins, preflightResponse } from '../server/origins.js';
import { listOf, callerKeyOf, upstreamOf, type Env } from './env.js';
import { isCallers, CallerKeys, sentKey, type ListedCaller } from '../gateway/callers.js';
import { sha256, toHex } from '../sdk/internal/digest.js';
import * as must from '../sdk/internal/options.js';
import { Limits } from '../gateway/limits.js';

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

function listedCallers(text: string): ListedCaller[] {
  try {
    const callers: ListedCaller[] = JSON.parse(text);
    must.arrayOf(must.unchecked)(callers, '');
    isCallers(callers, '');
    return callers;
  } catch {
    // Neither the text nor the reason is quoted: the text may hold a key by mistake.
  }
  const message =
    'GATEWAY_CALLERS must be JSON: [{"id": "...", "keyHash": "<SHA-256 of the key>"}]. Ids have up to 100 letters, ' +
    'digits or characters of . _ @ : + -, and no two callers have one key.';
  throw new HttpError(500, 'setting.invalid', message);
}

/**
 * Returns who may call: the list, else whoever has CALLER_KEY, else undefined.
 *
 * @throws HttpError with the status 500 if GATEWAY_CALLERS is invalid
 */
export async function callersOf(env: Env): Promise<ListedCaller[] | undefined> {
  if (env.GATEWAY_CALLERS) return listedCallers(env.GATEWAY_CALLERS);
  const key = callerKeyOf(env);
  return key === '' ? undefined : [{ id: 'caller', keyHash: toHex(await sha256(key)) }];
}

/** Who may use threads, for all requests of an isolate. */
interface Access {
  keys: CallerKeys;
  limits: Limits;
}

function checkUpstream(env: Env): void {
  if (upstreamOf(env)) return;
  const message =
    'No upstream is configured: set GEMINI_API_KEY with `wrangler secret put GEMINI_API_KEY` (locally in .dev.vars), ' +
    'or the variable EMULATOR to "true" for the built-in emulator.';
  throw new HttpError(503, 'upstream.unconfigured', message);
}

async function createAccess(env: Env): Promise<Access> {
  const callers = await callersOf(env);
  if (!callers) {
    const message =
      'This Worker has no callers: set a key with `wrangler secret put CALLER_KEY` (locally in .dev.vars), or list ' +
      'them in GATEWAY_CALLERS.';
    throw new HttpError(401, 'caller.unconfigured', message, { 'www-authenticate': 'Bearer' });
  }
  const { RATE_LIMITER: rateLimiter } = env;
  return {
    // The deployment pays, also where the emulator answers: a thread belongs to a listed caller.
    keys: new CallerKeys({ paysUpstream: true, callers, secret: undefined }),
    // Any number may watch a thread. CallerObject limits what runs.
    limits: new Limits({
      concurrency: Infinity,
      totalConcurrency: Infinity,
      ...(rateLimiter && { rateLimiter }),
    }),
  };
}

// Keys in addresses end in logs.
function checkKeyPlace(request: Request): void {
  const isInUrl = new URL(request.url).searchParams.has('key');
  if (!isInUrl && sentKey(request)) return;
  const code = isInUrl ? 'caller.key_invalid' : 'caller.key_missing';
  const message =
    'Send your key in a header: "authorization: Bearer <key>" or "x-goog-api-key: <key>".';
  throw new HttpError(401, code, message, { 'www-authenticate': 'Bearer' });
}

const accesses = new WeakMap<Env, Promise<Access>>();

function accessOf(env: Env): Promise<Access> {
  const known = accesses.get(env);
  if (known) return known;
  const created = createAccess(env);
  accesses.set(env, created);
  created.catch(() => accesses.delete(env));
  return created;
}

/**
 * Returns the id of the caller, to whom threads belong.
 *
 * @throws HttpError with the status 503 without an upstream, 401 without a valid key, 429 if the caller calls too often
 */
export async function callerOf(request: Request, env: Env): Promise<string> {
  checkUpstream(env);
  const { keys, limits } = await accessOf(env);
  checkKeyPlace(request);
  const { id } = await keys.authenticate(request);
  (await limits.enter(id))();
  return id;
}
