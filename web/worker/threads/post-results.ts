// Accepts results of a caller's calls: they are stored first, and the send goes on when no call is open.
import { sha256, toHex } from '../../sdk/internal/bytes.js';
import { HttpError } from '../../server/body.js';
import { parseResults, type CallResult } from '../requests.js';
import { compareEventIds, eventIdText, parseEventId, type EventId } from './event-id.js';
import type { CallRow, StoredResult } from './call-table.js';
import type { LiveThread } from './live-thread.js';
import type { Operation } from './operation.js';
import { inPlace } from './place.js';
import { sendResponse } from './post-message.js';

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
function accept(live: LiveThread, results: readonly StoredResult[]): ReturnType<typeof store> {
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
  const work = () => accept(live, stored);
  const { send, after } = leftMs === undefined ? work() : await inPlace(live, leftMs, work);
  live.schedule();
  return sendResponse(live, request, send, beforeWaiting(live, send, after));
}
