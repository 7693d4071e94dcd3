// Accepts a message: it is stored before its send begins, and a repeated one with the same key is the same send.
import { sha256, toHex } from '../../sdk/internal/bytes.js';
import { HttpError } from '../../server/body.js';
import { clientOf, deadlineOf } from '../env.js';
import { idempotencyKeyOf, parseMessage, refusesWaiting, wantsAsync } from '../requests.js';
import { startOfSend, type EventId } from './event-id.js';
import type { LiveThread } from './live-thread.js';
import type { Operation } from './operation.js';
import { inPlace } from './place.js';

// Sends that wait for the one that runs. Those that were aborted only wait for their end.
const queueLimit = 16;
const busyRetrySeconds = '5';

function checkQueue({ sends }: LiveThread): void {
  const active = sends.active.filter(({ endCode }) => endCode === undefined);
  if (active.length <= queueLimit) return;
  const message = `${queueLimit} messages wait in this thread. Retry when some of them are answered.`;
  throw new HttpError(429, 'thread.busy', message, { 'retry-after': busyRetrySeconds });
}

function checkNotWaiting(live: LiveThread, request: Request): void {
  if (!refusesWaiting(request) || !live.isWaiting) return;
  const message = 'A send waits for results of your calls. Post them first.';
  throw new HttpError(409, 'conversation.waiting', message);
}

// Throws for an unusable key or setting before anything is stored.
function checkDeployment({ env, conversation }: LiveThread): void {
  clientOf(env);
  deadlineOf(env);
  conversation.checkConfiguration();
}

/** Returns the number of the send with this key, if there is one. @throws HttpError if its body was another one */
function knownSend(
  { sends }: LiveThread,
  key: string | undefined,
  bodyHash: string,
): number | undefined {
  const row = key === undefined ? undefined : sends.withKey(key);
  if (!row || row.bodyHash === bodyHash) return row?.number;
  const message = 'Idempotency-Key belongs to a send with another body. Use a new key for it.';
  throw new HttpError(422, 'idempotency.mismatch', message);
}

/** Returns the number of the send, which is stored. */
async function accept(live: LiveThread, request: Request, text: string): Promise<number> {
  const key = idempotencyKeyOf(request);
  const { message } = parseMessage(text);
  const bodyHash = toHex(await sha256(JSON.stringify(message)));
  const known = knownSend(live, key, bodyHash);
  if (known !== undefined) return known;
  checkDeployment(live);
  checkNotWaiting(live, request);
  checkQueue(live);
  const leftMs = deadlineOf(live.env);
  const add = () => {
    // Others may have come meanwhile, also with this key.
    const same = knownSend(live, key, bodyHash);
    if (same !== undefined) return same;
    checkNotWaiting(live, request);
    checkQueue(live);
    return live.sends.add({ key, bodyHash, message, leftMs }, Date.now());
  };
  // Behind a send that waits for results, nothing runs yet.
  return live.isWaiting ? add() : inPlace(live, leftMs, add);
}

/** Answers with the events of a send after an id, or only with its number. */
export function sendResponse(
  { watchers }: LiveThread,
  request: Request,
  send: number,
  after: EventId = startOfSend(send),
): Response {
  const headers = { 'x-send': String(send) };
  if (wantsAsync(request)) return Response.json({ send }, { status: 202, headers });
  const accept = request.headers.get('accept');
  const response = watchers.open({ accept, after, until: send });
  response.headers.set('x-send', String(send));
  return response;
}

/** Sends a message. */
export async function messages({ live, request, body }: Operation): Promise<Response> {
  const send = await accept(live, request, body);
  live.schedule();
  live.wake();
  return sendResponse(live, request, send);
}
