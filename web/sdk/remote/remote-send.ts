// Sends one message to a thread: receives the events of the send, runs the caller's tools, and aborts the send in the
// Worker if its reader leaves.
import { abortable, sleep, type Watch } from '../base/abort.js';
import type { RetryListener } from '../client/retry.js';
import type { ConversationInput } from '../conversation/conversation-input.js';
import type { EventChannel } from '../conversation/event-channel.js';
import type { RemoteCall, RemoteEvent } from '../types/remote-event.js';
import type { CallerTools } from './caller-tools.js';
import { EventFeed } from './event-feed.js';
import { sendOf } from './event-id.js';
import { newKey } from './idempotency-key.js';
import { messageBody } from './message-body.js';
import { errorOfFailure } from './remote-error.js';
import type { ThreadRequests } from './thread-requests.js';

// How long an aborted send waits for the Worker, in milliseconds.
const abortGraceMs = 5000;

/** What the sends of a thread share. */
export interface SendParts {
  requests: ThreadRequests;
  tools: CallerTools;
  onRetry: RetryListener | undefined;
  /** Returns whether the result of this call was posted by `RemoteThread.answer`. */
  wasAnswered: (call: RemoteCall) => boolean;
}

/** One send. */
export class RemoteSend {
  readonly #parts: SendParts;
  readonly #watch: Watch;
  readonly #events: EventChannel<RemoteEvent>;
  /** Ends the connections, after the Worker was told to abort the send. */
  readonly #connections = new AbortController();
  /** The response to the message, of the last attempt to send it. */
  #response: Promise<Response> | undefined;
  #isOver = false;

  constructor(parts: SendParts, watch: Watch, events: EventChannel<RemoteEvent>) {
    this.#parts = parts;
    this.#watch = watch;
    this.#events = events;
  }

  /** Runs the send to its end, or until only calls are open that nobody here answers. */
  async run(input: ConversationInput): Promise<void> {
    const { signal } = this.#watch;
    if (signal.aborted) throw signal.reason;
    const body = await messageBody(input, signal);
    const feed = this.#open(body);
    try {
      let isOpen = true;
      while (isOpen) isOpen = await this.#receive(feed);
    } catch (error) {
      if (signal.aborted && !this.#isOver) await this.#abort(feed);
      throw error;
    } finally {
      this.#connections.abort();
    }
  }

  #open(body: Uint8Array): EventFeed {
    const { requests, onRetry } = this.#parts;
    const { signal } = this.#connections;
    const key = newKey();
    const open = (last: string | undefined) => {
      if (last !== undefined) return requests.events(last, true, signal);
      return (this.#response = requests.message(body, key, signal));
    };
    return new EventFeed({ open, retry: requests.worker.retry, onRetry, signal });
  }

  // Passes events on until the send ends or waits for results. Returns whether it continues after that.
  async #receive(feed: EventFeed): Promise<boolean> {
    const { signal } = this.#watch;
    const events = feed.events();
    try {
      for (;;) {
        // If the reader leaves, the wait ends, and the connection stays until the send is aborted in the Worker.
        const { done, value: event } = await abortable(events.next(), signal);
        if (done) return false;
        if (event.type === 'failed') throw this.#failure(event.error);
        if (event.type === 'done') this.#isOver = true;
        if (event.type === 'waiting') return await this.#answer(event);
        await this.#events.put([event]);
        if (event.type === 'stored') return false;
      }
    } finally {
      if (!signal.aborted) await events.return();
    }
  }

  #failure(failure: Extract<RemoteEvent, { type: 'failed' }>['error']) {
    this.#isOver = true;
    return errorOfFailure(failure);
  }

  async #answer(waiting: Extract<RemoteEvent, { type: 'waiting' }>): Promise<boolean> {
    const { requests, tools, wasAnswered } = this.#parts;
    const { signal } = this.#watch;
    // A reader that leaves here leaves the calls open, as it does in a Conversation.
    this.#isOver = true;
    await this.#events.put([waiting]);
    this.#isOver = false;
    if (signal.aborted) throw signal.reason;
    const step = { requests, signal, emit: this.#events.emit };
    const open = waiting.calls.filter((call) => !wasAnswered(call));
    return open.length === 0 || tools.answer(open, step);
  }

  async #abort(feed: EventFeed): Promise<void> {
    const { requests } = this.#parts;
    const grace = new AbortController();
    const work = async () => {
      const send = await this.#numberOf(feed);
      if (send !== undefined) await requests.abort(send, { signal: grace.signal });
    };
    // What fails here cannot be told to a reader that has left. The send then runs to its end, or to its deadline.
    await Promise.race([work().catch(() => {}), sleep(abortGraceMs, this.#connections.signal)]);
    grace.abort();
  }

  // The Worker names the send before its first event, which a send that waits for others does not have for long.
  async #numberOf({ last }: EventFeed): Promise<number | undefined> {
    if (last !== undefined) return sendOf(last);
    const number = (await this.#response)?.headers.get('x-send');
    return number ? Number(number) : undefined;
  }
}
