// Follows the events of a thread over as many connections as it takes.
import { readerOf, type BodyReader } from '../sdk/client/http.js';
import { joinBytes, decodeUtf8 } from '../sdk/internal/bytes.js';
import { textOf } from '../sdk/internal/json.js';
import { notUnderstood, connectionLost, errorOfFailure } from './remote-error.js';
import { isEventId, isAfter, type RemoteEvent } from './remote-state.js';
import type { FinishReason } from '../sdk/types/gemini/response.js';
import type { ConversationEvent } from '../sdk/types/conversation-event.js';
import { sleep, Watch } from '../sdk/internal/lifetime.js';
import { GeminiError } from '../sdk/internal/errors.js';
import { sendAgain, type RetryListener, type RetryPolicy } from '../sdk/client/send-again.js';
import { EventChannel } from '../sdk/chat/event-channel.js';
import type { WatchOptions } from './options.js';
import type { ThreadRequests } from './thread-requests.js';

/** One event: its id, '' without one, and its data. A comment has neither, and an id may come alone. */
interface ReceivedMessage {
  id: string;
  data?: string;
}

const lineFeed = 10;

/** Splits bytes into lines. */
class LineSplitter {
  #rest: Uint8Array[] = [];

  *push(bytes: Uint8Array): Generator<string, void, void> {
    let start = 0;
    for (let end; (end = bytes.indexOf(lineFeed, start)) >= 0; start = end + 1) {
      const line = joinBytes([...this.#rest, bytes.subarray(start, end)]);
      this.#rest = [];
      yield decodeUtf8(line).replace(/\r$/, '');
    }
    if (start < bytes.length) this.#rest.push(bytes.slice(start));
  }
}

/** Collects the fields of one event. */
class FieldCollector {
  #id = '';
  #data: string[] = [];

  /** Takes one line. Returns the event or the id that an empty line completes, or a comment. */
  take(line: string): ReceivedMessage | undefined {
    if (line === '') return this.#complete();
    if (line.startsWith(':')) return { id: '' };
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'id') this.#id = value;
    if (name === 'data') this.#data.push(value);
    return undefined;
  }

  #complete(): ReceivedMessage | undefined {
    if (this.#data.length === 0) return this.#id === '' ? undefined : { id: this.#id };
    const data = this.#data.join('\n');
    this.#data = [];
    return { id: this.#id, data };
  }
}

/** Yields the events, comments and ids of a body. An event that the end of the body cuts off is left out. */
export async function* serverSentEvents(
  reader: BodyReader,
): AsyncGenerator<ReceivedMessage, void, void> {
  const lines = new LineSplitter();
  const fields = new FieldCollector();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const line of lines.push(value)) {
      const event = fields.take(line);
      if (event) yield event;
    }
  }
}

const bytesOfText = (text: unknown): Uint8Array => new TextEncoder().encode(textOf(text));

function parsed(data: string): { [name: string]: unknown; type: string } {
  try {
    const value = Object(JSON.parse(data));
    if (typeof value.type === 'string') return value;
  } catch {
    // It is reported like any other data that is no event.
  }
  throw notUnderstood('The server at `url` sent an event that is not JSON with a type');
}

/**
 * Returns the event with this id and this JSON.
 *
 * @throws RemoteError `answer.invalid` if it is not an event of a thread
 */
function receivedEvent(eventId: string, data: string): RemoteEvent {
  const event = parsed(data);
  if (!isEventId(eventId))
    throw notUnderstood('The server at `url` sent an event without an id of a thread');
  if (event.type === 'request') event['body'] = bytesOfText(event['body']);
  if (event.type === 'turn') event['content'] = bytesOfText(event['content']);
  // Types that are newer than this package are passed on.
  return { ...event, eventId } as unknown as RemoteEvent;
}

const startsAnswer = ['text', 'thought', 'functionCall', 'part'];
const endsAnswer = ['turn', 'fault', 'request'];

/** Knows whether a part of an answer was received, and not its end. */
class UnfinishedAnswer {
  #isPartial = false;

  /** Returns the events in the place of `event`: a `fault` before `resumed` says that a part counts for nothing. */
  mark(event: RemoteEvent): RemoteEvent[] {
    if (startsAnswer.includes(event.type)) this.#isPartial = true;
    if (endsAnswer.includes(event.type)) this.#isPartial = false;
    if (event.type !== 'resumed' || !this.#isPartial) return [event];
    this.#isPartial = false;
    return [interrupted, event];
  }
}

const interrupted: RemoteEvent = {
  type: 'fault',
  code: 'answer.cut',
  message: 'The process of the send ended before the answer was complete. It is requested again.',
  finishReason: 'FINISH_REASON_UNSPECIFIED' satisfies FinishReason,
};

const remoteOnly = ['sent', 'resumed', 'failed', 'stored'] as const;
type RemoteOnly = (typeof remoteOnly)[number];

/** Returns whether an event is one of a Conversation, too. */
export const isLocal = (event: RemoteEvent): event is Exclude<RemoteEvent, { type: RemoteOnly }> =>
  !remoteOnly.some((type) => type === event.type);

/** Returns the events of a send without those about the Worker. */
export function conversationEvents(
  send: AsyncIterator<RemoteEvent, undefined>,
): AsyncIterator<ConversationEvent, undefined> {
  return {
    async next() {
      for (;;) {
        const { done, value } = await send.next();
        if (done) return { done, value: undefined };
        if (isLocal(value)) return { done: false, value };
      }
    },
    async return() {
      await send.return?.();
      return { done: true, value: undefined };
    },
  };
}

// How long a stream whose last event was received may take to end, in milliseconds.
const releaseMs = 250;

/** How a feed connects. */
interface FeedOptions {
  /** Returns a stream of the events after the one with the id `last`; of all events without it. */
  open: (last: string | undefined) => Promise<Response>;
  retry: RetryPolicy;
  onRetry: RetryListener | undefined;
  /** Ends the waits between two connections. `open` observes it, too. */
  signal: AbortSignal;
}

/** The events of one send, or of a thread. */
export class EventFeed {
  readonly #options: FeedOptions;
  readonly #answer = new UnfinishedAnswer();
  #last: string | undefined;
  /** Connections in a row that brought nothing. */
  #failures = 0;

  /** `last`: the id of the last event that is known already. */
  constructor(options: FeedOptions, last?: string) {
    this.#options = options;
    this.#last = last;
  }

  /** The id of the last event that was received. */
  get last(): string | undefined {
    return this.#last;
  }

  /** Leaves out the events up to this one. */
  startAfter(id: string): void {
    this.#last = id;
  }

  /**
   * Yields the events after the last one, and connects again after a lost connection. It does not end by itself;
   * reading may stop after any event, and continue later.
   */
  async *events(): AsyncGenerator<RemoteEvent, void, void> {
    for (;;) {
      const lost = yield* this.#connection();
      await this.#pause(lost);
    }
  }

  // Yields the events of one connection. Returns why it ended.
  async *#connection(): AsyncGenerator<RemoteEvent, GeminiError, void> {
    const reader = await this.#open();
    if ('error' in reader) return reader.error;
    const messages = serverSentEvents(reader);
    try {
      for (;;) {
        const next = await messages.next().catch((error: unknown) => ({ error: failureOf(error) }));
        if ('error' in next) return next.error;
        if (next.done) return connectionLost();
        const { id, data } = next.value;
        // An id alone says where the stream begins, and shows nothing else.
        if (data !== undefined || id === '') this.#failures = 0;
        if (data !== undefined) yield* this.#take(id, data);
        else if (isEventId(id)) this.#last ??= id;
      }
    } finally {
      await release(reader);
    }
  }

  async #open() {
    try {
      const response = await this.#options.open(this.#last);
      const type = response.headers.get('content-type') ?? '';
      const reader = /^text\/event-stream\b/.test(type) ? readerOf(response) : undefined;
      if (reader) return reader;
      await response.body?.cancel();
    } catch (error) {
      return { error: failureOf(error) };
    }
    throw notUnderstood('The server at `url` answered without a stream of events');
  }

  *#take(id: string, data: string): Generator<RemoteEvent, void, void> {
    const event = receivedEvent(id, data);
    if (!isAfter(id, this.#last)) return;
    this.#last = id;
    yield* this.#answer.mark(event);
  }

  async #pause(error: GeminiError): Promise<void> {
    const { retry, onRetry, signal } = this.#options;
    const delayMs = sendAgain.worker(error, ++this.#failures, retry);
    if (delayMs === undefined) throw error;
    onRetry?.(error, delayMs, this.#failures);
    await sleep(delayMs, signal);
  }
}

// A stream that ends by itself leaves its connection to the next request. Any other is canceled.
async function release(reader: BodyReader): Promise<void> {
  const timer = new AbortController();
  const toEnd = async () => {
    while (!(await reader.read()).done);
  };
  await Promise.race([toEnd(), sleep(releaseMs, timer.signal)]).catch(() => {});
  timer.abort();
  await reader.cancel().catch(() => {});
}

function failureOf(error: unknown): GeminiError {
  if (error instanceof GeminiError) return error;
  throw error;
}

/** Returns the events of a thread as they happen. `check` throws if the options are invalid. */
export function watchThread(
  requests: ThreadRequests,
  onRetry: RetryListener | undefined,
  options: WatchOptions,
  check: () => void,
): EventChannel<RemoteEvent> {
  let watch: Watch | undefined;
  const run = async (channel: EventChannel<RemoteEvent>) => {
    check();
    watch = new Watch(options.signal, 0, Error);
    const { signal } = watch;
    try {
      if (signal.aborted) throw signal.reason;
      const open = (last: string | undefined) => requests.events(last, false, signal);
      const parts = { open, retry: requests.worker.retry, onRetry, signal };
      for await (const event of new EventFeed(parts, options.after).events()) {
        // No other event can follow.
        if (event.type === 'failed' && event.error.code === 'thread.deleted')
          throw errorOfFailure(event.error);
        await channel.put([event]);
      }
    } finally {
      watch.release();
    }
  };
  return new EventChannel<RemoteEvent>(run, () => watch?.abort(), new Error());
}
