// Checks who calls the routes of threads, and how often.
import { CallerKeys, sentKey } from '../gateway/callers.js';
import { Limits } from '../gateway/limits.js';
import { HttpError } from '../server/body.js';
import { callersOf } from './callers.js';
import { upstreamOf, type Env } from './env.js';

/** Who may use threads, for all requests of an isolate. */
interface Access {
  keys: CallerKeys;
  limits: Limits;
}

function checkUpstream(env: Env): void {
  if (upstreamOf(env)) return;
  const message =
    'No upstream is configured: set GEMINI_API_KEY with `wrangler secret put GEMINI_API_KEY`, or the variable ' +
    'EMULATOR to "true" for the built-in emulator.';
  throw new HttpError(503, 'upstream.unconfigured', message);
}

async function createAccess(env: Env): Promise<Access> {
  const callers = await callersOf(env);
  if (!callers) {
    const message =
      'This Worker has no callers: set a key with `wrangler secret put CALLER_KEY`, or list them in GATEWAY_CALLERS.';
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
