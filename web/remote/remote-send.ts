// Sends one message to a thread: receives the events of the send, runs the caller's tools, and aborts the send in the
// Worker if its reader leaves.
import { abortable, sleep, type Watch } from '../sdk/internal/lifetime.js';
import type { RetryListener } from '../sdk/client/send-again.js';
import { contentOf, type ConversationInput } from '../sdk/chat/conversation-input.js';
import type { EventChannel } from '../sdk/chat/event-channel.js';
import { messageNotAdded } from '../sdk/chat/ask-result.js';
import { sendOf, type RemoteCall, type RemoteEvent, type RemoteState } from './remote-state.js';
import type { CallerTools } from './caller-tools.js';
import { EventFeed } from './event-feed.js';
import { newKey, type ThreadRequests } from './thread-requests.js';
import { errorOfFailure } from './remote-error.js';
import { invalidOption } from '../sdk/internal/options.js';
import { valuePart } from '../sdk/internal/json-input.js';
import { decodeValidUtf8 } from '../sdk/internal/bytes.js';

// How long an aborted send waits for the Worker, in milliseconds.
const abortGraceMs = 5000;

/** The last send of a thread, if its end was not received. */
export interface UnfinishedSend {
  /** The id of the last event that was received. */
  last?: string | undefined;
}

/** What the sends of a thread share. */
interface SendParts {
  requests: ThreadRequests;
  tools: CallerTools;
  onRetry: RetryListener | undefined;
  /** Returns whether the result of this call was posted by `RemoteThread.answer`. */
  wasAnswered: (call: RemoteCall) => boolean;
  unfinished: UnfinishedSend;
  /** Forgets what is kept for the calls of a send, which is over. */
  forget: () => void;
}

/** One send. */
export class RemoteSend {
  readonly #parts: SendParts;
  readonly #watch: Watch;
  readonly #events: EventChannel<RemoteEvent>;
  /** Ends the connections, after the Worker was told to abort the send. */
  readonly #connections = new AbortController();
  readonly #feed: EventFeed;
  readonly #key = newKey();
  #body: Uint8Array = new Uint8Array();
  /** The response to the message, of the last attempt to send it. */
  #response: Promise<Response> | undefined;
  /** Whether nothing is left to abort. */
  #isOver = false;

  constructor(parts: SendParts, watch: Watch, events: EventChannel<RemoteEvent>) {
    this.#parts = parts;
    this.#watch = watch;
    this.#events = events;
    const { requests, onRetry } = parts;
    const { signal } = this.#connections;
    const open = (last: string | undefined) =>
      last === undefined ? this.#post() : requests.events(last, true, signal);
    this.#feed = new EventFeed({ open, retry: requests.worker.retry, onRetry, signal });
  }

  /** Runs the send to its end, or until only calls are open that nobody here answers. */
  async run(input: ConversationInput): Promise<void> {
    const { signal } = this.#watch;
    if (signal.aborted) throw signal.reason;
    try {
      let isOpen = await this.#begin(input);
      while (isOpen) isOpen = await this.#receive();
    } catch (error) {
      if (!this.#isOver) await this.#leave(error);
      throw error;
    } finally {
      this.#connections.abort();
    }
  }

  // Sends the message, or joins what a blank text continues. Returns false if calls stay open.
  async #begin(input: ConversationInput): Promise<boolean> {
    this.#body = await messageBody(input, this.#watch.signal);
    const isBlank = typeof input === 'string' && input.trim() === '';
    const isOpen = !isBlank || (await this.#join());
    this.#parts.unfinished.last = undefined;
    return isOpen;
  }

  // Continues the send whose end was not received, or that runs or waits, if there is one.
  async #join(): Promise<boolean> {
    const { state, openCalls: calls, lastEvent } = await this.#state();
    const last = this.#parts.unfinished.last ?? (state === 'idle' ? undefined : lastEvent);
    if (last !== undefined) this.#feed.startAfter(last);
    // After an earlier event, the feed has this one.
    const isNext = state === 'waiting' && last === lastEvent;
    return !isNext || this.#answer({ type: 'waiting', calls });
  }

  // A message cannot follow open calls, so they are answered first.
  async #post(): Promise<Response> {
    const { requests } = this.#parts;
    const { signal } = this.#connections;
    for (;;) {
      try {
        return await (this.#response = requests.message(this.#body, this.#key, signal));
      } catch (error) {
        if (Object(error).code !== 'conversation.waiting') throw error;
      }
      const { openCalls: calls } = await this.#state();
      if (!(await this.#answer({ type: 'waiting', calls }))) throw messageNotAdded();
    }
  }

  // Passes events on until the send ends or waits for results. Returns whether it continues after that.
  async #receive(): Promise<boolean> {
    const { signal } = this.#watch;
    const events = this.#feed.events();
    try {
      for (;;) {
        // If the reader leaves, the wait ends, and the connection stays until the send is aborted in the Worker.
        const { done, value: event } = await abortable(events.next(), signal);
        if (done) return false;
        if (event.type === 'failed') throw this.#failure(event.error);
        if (event.type === 'done') this.#isOver = true;
        if (event.type === 'waiting') return await this.#answer(event);
        await this.#events.put([event]);
        if (event.type === 'stored') return this.#end();
      }
    } finally {
      if (!signal.aborted) await events.return();
    }
  }

  #failure(failure: Extract<RemoteEvent, { type: 'failed' }>['error']) {
    this.#isOver = true;
    this.#end();
    return errorOfFailure(failure);
  }

  // What was kept for its calls serves no other send.
  #end(): false {
    this.#parts.forget();
    return false;
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

  #state(): Promise<RemoteState> {
    const { signal } = this.#watch;
    return this.#parts.requests.state({ signal });
  }

  // The next send can continue one whose connection was lost, unless the Worker has dropped its events.
  async #leave(error: unknown): Promise<void> {
    if (this.#watch.signal.aborted) await this.#abort();
    else if (Object(error).code !== 'events.expired')
      this.#parts.unfinished.last = this.#feed.last ?? this.#parts.unfinished.last;
  }

  async #abort(): Promise<void> {
    const { requests } = this.#parts;
    const grace = new AbortController();
    const work = async () => {
      const send = await this.#name();
      if (send !== undefined) await requests.abort(send, { signal: grace.signal });
    };
    // What fails here cannot be told to a reader that has left. The send then runs to its end, or to its deadline.
    await Promise.race([work().catch(() => {}), sleep(abortGraceMs, this.#connections.signal)]);
    grace.abort();
  }

  // The Worker names the send before its first event, which a send that waits for others does not have for long. If the
  // response was lost, the message may have arrived, and has its key.
  async #name(): Promise<number | string | undefined> {
    const { last } = this.#feed;
    if (last !== undefined) return sendOf(last);
    const response = await this.#response?.catch(() => {});
    const number = response?.headers.get('x-send');
    return number ? Number(number) : this.#response && this.#key;
  }
}

// The bytes of a Content are sent as they are. They must be one JSON value, because text surrounds them.
function contentText(bytes: Uint8Array): string {
  try {
    const text = decodeValidUtf8(bytes);
    JSON.parse(text);
    return text;
  } catch {
    throw invalidOption('/input', 'a Content as JSON in UTF-8, if it is bytes');
  }
}

/**
 * Returns the body that sends a message. Bytes and Blobs in it are base64.
 *
 * @throws StrataError `field.invalid` or `json.invalid` for an input that is no message
 */
async function messageBody(input: ConversationInput, signal: AbortSignal): Promise<Uint8Array> {
  const message = Array.isArray(input) ? await contentOf(input, signal) : input;
  const text = message instanceof Uint8Array ? contentText(message) : valuePart(message, '/input');
  if (text === undefined) throw invalidOption('/input', 'a text, a list of parts, or a Content');
  return new TextEncoder().encode(`{"message":${text}}`);
}
