// Receives the events of a thread, each once and in order, over as many connections as it takes.
import { sleep } from '../sdk/internal/lifetime.js';
import { GeminiError } from '../sdk/internal/errors.js';
import { readerOf, type BodyReader } from '../sdk/client/http.js';
import { sendAgain, type RetryListener, type RetryPolicy } from '../sdk/client/send-again.js';
import type { RemoteEvent } from '../sdk/types/remote-event.js';
import { isAfter, isEventId } from './event-id.js';
import { receivedEvent, UnfinishedAnswer } from './received-event.js';
import { connectionLost, notUnderstood } from './remote-error.js';
import { serverSentEvents } from './server-sent-events.js';

// How long a stream whose last event was received may take to end, in milliseconds.
const releaseMs = 250;

/** How a feed connects. */
export interface FeedOptions {
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
