// Reads who may call from the variables: the gateway and the threads have the same callers.
import { isCallers, type ListedCaller } from '../gateway/callers.js';
import { sha256, toHex } from '../sdk/internal/bytes.js';
import * as must from '../sdk/internal/options.js';
import { HttpError } from '../server/body.js';
import { callerKeyOf, type Env } from './env.js';

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
