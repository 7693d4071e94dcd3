// Defines operations of a thread, and those that read or change it without a send.
import type { ThreadCall } from '../thread-call.js';
import type { LiveThread } from './live-thread.js';
import { HttpError } from '../../server/body.js';
import {
  eventsQueryOf,
  turnsQueryOf,
  idempotencyKeyOf,
  parseAbort,
  parseRewind,
} from '../requests.js';
import { compareEventIds, parseEventId, startOfSend, type EventId } from './event-log.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { visibleLines, visibleThread } from '../thread-event.js';

/** A request for an operation of a thread that exists. */
export interface Operation {
  readonly live: LiveThread;
  readonly request: Request;
  readonly call: ThreadCall;
  /** The text of the request's body. */
  readonly body: string;
}

// A process that has ended may have sent events that it did not store, so only the send is checked.
function placeOf({ sends }: LiveThread, text: string): EventId {
  const id = parseEventId(text);
  if (id && id.send <= sends.last) return id;
  const message =
    'Last-Event-ID, or ?after=, must be the id of an event of this thread: "<send>.<attempt>.<n>".';
  throw new HttpError(400, 'query.invalid', message);
}

function checkSend({ sends }: LiveThread, send: number): void {
  if (send > 0 && send <= sends.last) return;
  throw new HttpError(400, 'query.invalid', `?send= must be a send of this thread, not ${send}.`);
}

const later = (a: EventId | undefined, b: EventId): EventId =>
  a && compareEventIds(a, b) > 0 ? a : b;

/** Streams events. */
export async function events({ live, request }: Operation): Promise<Response> {
  const { after: text, send, untilEnd } = eventsQueryOf(request);
  const after = text === undefined ? undefined : placeOf(live, text);
  if (send !== undefined) checkSend(live, send);
  live.wake();
  const until = send ?? (untilEnd ? live.sends.last : undefined);
  const start = send === undefined ? after : later(after, startOfSend(send));
  return live.watchers.open({
    accept: request.headers.get('accept'),
    ...(start && { after: start }),
    ...(until !== undefined && { until }),
  });
}

const type = 'application/x-ndjson; charset=utf-8';

// A page ends with the turn that makes it as long as this.
const pageCharacters = 1_000_000;
const pageTurns = 1000;

/** Returns the number of lines of the next page. */
function pageLength(lines: readonly string[], limit: number): number {
  let characters = 0;
  const index = lines.findIndex((line) => (characters += line.length) >= pageCharacters);
  return Math.min(index < 0 ? lines.length : index + 1, limit);
}

/** Answers with turns as lines of the saved thread. */
export async function turns({ live, request, call }: Operation): Promise<Response> {
  const { after, limit = pageTurns } = turnsQueryOf(request);
  const { conversation } = live;
  const saved = await conversation.use(({ conversation: { thread } }) =>
    after < thread.length ? decodeUtf8(thread.save(after)) : '',
  );
  const lines = saved.split('\n').slice(0, -1);
  const length = pageLength(lines, Math.min(limit, pageTurns));
  const page = lines.slice(0, length).map((line) => `${line}\n`);
  const headers = new Headers({ 'content-type': type, 'cache-control': 'no-store' });
  if (length < lines.length) {
    const next = String(after + length);
    const size = turnsQueryOf(request).limit === undefined ? '' : `&limit=${limit}`;
    headers.set('x-next', next);
    headers.set('link', `</threads/${call.id}/turns?after=${next}${size}>; rel="next"`);
  }
  return new Response(visibleLines(page.join(''), conversation.visibility), { headers });
}

/** Answers with the whole thread as `Thread.save` writes it. */
export async function exported({ live: { conversation } }: Operation): Promise<Response> {
  const text = await conversation.use(({ conversation: { thread } }) =>
    visibleThread(thread, conversation.visibility),
  );
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
}

/** Ends sends that have not ended: all, or one. A send that waits for results has its calls answered with an error. */
export async function abort({ live, request, body }: Operation): Promise<Response> {
  const { send } = parseAbort(body);
  const key = idempotencyKeyOf(request);
  const keyed = key === undefined ? undefined : (live.sends.withKey(key)?.number ?? 0);
  const numbers = live.sends.active
    .filter(({ endCode }) => endCode === undefined)
    .map(({ number }) => number)
    .filter((number) => (send ?? number) === number && (keyed ?? number) === number);
  if (numbers.length > 0) await live.runner.end(numbers, 'aborted');
  return Response.json({ aborted: numbers.length });
}

function checkIdle({ sends }: LiveThread): void {
  if (!sends.head) return;
  const message = 'A send of this thread runs or waits. Abort it, or wait for its end.';
  throw new HttpError(409, 'thread.running', message);
}

/** Keeps only the first turns. */
export async function rewind({ live, body }: Operation): Promise<Response> {
  const { turns } = parseRewind(body);
  checkIdle(live);
  await live.runner.inOrder(async () => {
    live.checkExists();
    checkIdle(live);
    await live.conversation.use(({ conversation }) => {
      checkLength(turns, conversation.thread.length);
      return conversation.rewind(turns);
    });
    live.calls.closeAll();
  });
  return live.stateResponse();
}

/** @throws HttpError if a thread has fewer turns */
export function checkLength(turns: number, length: number): void {
  if (turns <= length) return;
  const message = `/turns must be at most ${length}, the number of turns of this thread.`;
  throw new HttpError(400, 'turns.invalid', message);
}
