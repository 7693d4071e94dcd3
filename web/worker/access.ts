// Checks that a caller of /chat sends this deployment's key and that an upstream is configured.
import { equalSecrets } from '../sdk/base/digest.js';
import { callerKeyOf, upstreamOf, type Env } from './env.js';
import { HttpError } from '../sdk/server/http-error.js';

const unauthorized = (code: string, message: string) =>
  new HttpError(401, code, message, { 'www-authenticate': 'Bearer' });

/**
 * Checks that the caller is authorized and that an upstream is configured. Without CALLER_KEY only the emulator
 * answers, because it costs nothing.
 *
 * @throws HttpError with the status 401 or 503
 */
export async function checkAccess(request: Request, env: Env): Promise<void> {
  const key = callerKeyOf(env);
  const upstream = upstreamOf(env);
  if (key !== '') await checkKey(request, key);
  else if (upstream === 'gemini') {
    const message = 'This Worker has no caller key: set one with `wrangler secret put CALLER_KEY`';
    throw unauthorized('caller.unconfigured', message);
  }
  if (upstream) return;
  const message =
    'No upstream is configured: set GEMINI_API_KEY with `wrangler secret put GEMINI_API_KEY`, or the variable ' +
    'EMULATOR to "true" for the built-in emulator';
  throw new HttpError(503, 'upstream.unconfigured', message);
}

async function checkKey(request: Request, key: string): Promise<void> {
  const header = request.headers.get('authorization') ?? '';
  const [, sent] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
  if (sent === undefined) {
    const message = 'Send the key of this Worker as "authorization: Bearer <key>"';
    throw unauthorized('caller.key_missing', message);
  }
  if (!(await equalSecrets(sent, key))) {
    throw unauthorized('caller.key_wrong', 'The key is not valid for this Worker');
  }
}
