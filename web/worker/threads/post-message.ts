// Takes messages and results of tools, each once.
import type { LiveThread } from './live-thread.js';
import { sha256, toHex } from '../../sdk/internal/digest.js';
import { HttpError } from '../../server/body.js';
import { clientOf, deadlineOf } from '../env.js';
import {
  idempotencyKeyOf,
  parseMessage,
  refusesWaiting,
  wantsAsync,
  parseResults,
  type CallResult,
} from '../requests.js';
import {
  startOfSend,
  compareEventIds,
  eventIdText,
  parseEventId,
  type EventId,
} from './event-log.js';
import type { Operation } from './operation.js';
import type { CallRow, StoredResult } from './call-table.js';

/**
 * Runs `work`, which starts a send, in a place for it. The place is left if no send runs then.
 *
 * @throws HttpError with the status 429 if the caller has no place left, with the status 404 if the thread was deleted
 *   meanwhile; what `work` throws
 */
export async function inPlace<Result>(
  live: LiveThread,
  leftMs: number,
  work: () => Result,
): Promise<Result> {
  const { limits, record } = live;
  const { id } = record.identity;
  await limits.claim(id, leftMs);
  try {
    live.checkExists();
    return work();
  } finally {
    if (!record.exists || !live.isRunning) await limits.release(id);
  }
}

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
function sendResponse(
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

async function storedResult({ callId, ...result }: CallResult): Promise<StoredResult> {
  const json = JSON.stringify(result);
  return { callId, json, digest: toHex(await sha256(json)) };
}

/** Returns the call of a result. @throws HttpError if there is none, or it has another result */
function callOf({ calls }: LiveThread, { callId, digest }: StoredResult): CallRow {
  const call = calls.get(callId);
  if (!call) {
    const message = `The model made no call ${callId} of a tool of yours.`;
    throw new HttpError(404, 'call.unknown', message);
  }
  if (call.state === 'open' || call.digest === digest) return call;
  const message = `The call ${callId} has another result already, or its send was ended.`;
  throw new HttpError(409, 'call.answered', message);
}

/** Stores what is new. Returns the last send that the results are for, and the id after which its events follow. */
function store(
  live: LiveThread,
  results: readonly StoredResult[],
): { send: number; after: EventId } {
  const { log, calls } = live;
  const found = results.map((result) => ({ result, call: callOf(live, result) }));
  const added = found.filter(({ call }) => call.state === 'open').map(({ result }) => result);
  // Another process may have ended before it stored this event, so it comes before all that follow.
  const now = log.last;
  calls.answer(added, eventIdText(now));
  const places = found.map(({ call }) => parseEventId(call.answeredAfter ?? '') ?? now);
  const send = Math.max(...found.map(({ call }) => call.send));
  // A repeated request gets the events that it got before.
  return { send, after: places.reduce((a, b) => (compareEventIds(a, b) > 0 ? a : b)) };
}

// A send that still runs takes the results when it would pause.
function acceptResults(
  live: LiveThread,
  results: readonly StoredResult[],
): ReturnType<typeof store> {
  const stored = store(live, results);
  const row = live.sends.get(stored.send);
  if (row?.state === 'waiting' && live.calls.open.length === 0) live.runner.resume(row);
  return stored;
}

/** Returns the running time left to the send that these results resume; undefined if they resume none. */
function leftIfResumed(live: LiveThread, results: readonly StoredResult[]): number | undefined {
  for (const result of results) callOf(live, result);
  const { head } = live.sends;
  const isLast = live.calls.open.every(({ callId }) =>
    results.some((each) => each.callId === callId),
  );
  return live.isWaiting && isLast ? head?.leftMs : undefined;
}

/** Returns the id before the last event of a send that waits, so that its reader gets `waiting`. */
function beforeWaiting({ sends, log }: LiveThread, send: number, after: EventId): EventId {
  const isWaiting = sends.get(send)?.state === 'waiting' && log.last.send === send;
  return isWaiting ? { ...log.last, n: log.last.n - 1 } : after;
}

/** Stores results of calls. */
export async function results({ live, request, body }: Operation): Promise<Response> {
  const stored = await Promise.all(parseResults(body).results.map(storedResult));
  live.checkExists();
  const leftMs = leftIfResumed(live, stored);
  const work = () => acceptResults(live, stored);
  const { send, after } = leftMs === undefined ? work() : await inPlace(live, leftMs, work);
  live.schedule();
  return sendResponse(live, request, send, beforeWaiting(live, send, after));
}
