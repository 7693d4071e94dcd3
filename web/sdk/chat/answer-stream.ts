// Streams the answer to one message: as events, as text, or as an HTTP response. The events are read ahead of their
// reader, up to a limit.
import { GeminiError, StrataError } from '../internal/errors.js';
import * as must from '../internal/options.js';
import { longestDelay, type Restartable } from '../internal/lifetime.js';
import { serverSentEvent } from '../internal/json-text.js';
import { noAnswerYet, type AskResult, type ResultReader } from './ask-result.js';
import { sendOptions, type SendOptions } from './event-channel.js';
import type { ConversationEvent } from '../types/conversation-event.js';

/** Options of `Conversation.stream`. */
export interface StreamOptions extends SendOptions {
  /** Milliseconds without a read after which the send is aborted; 0: no limit. Default: 60,000. */
  stallTimeoutMs?: number;
}

export const streamOptions: must.Shape<StreamOptions> = {
  ...sendOptions,
  stallTimeoutMs: must.optional(must.nonNegative),
};

/** Options of `AnswerStream.toResponse`. */
export interface AnswerResponseOptions {
  status?: number;
  headers?: { [name: string]: string };
  /**
   * The types of events that the response contains besides `text`, `thought`, `fault` and `done`. They may hold what
   * is private to the server, such as the whole request.
   */
  events?: readonly ConversationEvent['type'][];
}

const eventTypes = {
  request: 1,
  diagnostics: 1,
  text: 1,
  thought: 1,
  functionCall: 1,
  part: 1,
  usage: 1,
  metadata: 1,
  error: 1,
  turn: 1,
  retry: 1,
  cacheLost: 1,
  fieldRefused: 1,
  cache: 1,
  masked: 1,
  compressed: 1,
  compressionFailed: 1,
  thread: 1,
  toolCall: 1,
  invalidArguments: 1,
  toolResult: 1,
  waiting: 1,
  loop: 1,
  nextSpeaker: 1,
  limit: 1,
  fault: 1,
  empty: 1,
  invalidObject: 1,
  done: 1,
} satisfies Record<ConversationEvent['type'], 1>;

const responseOptions: must.Shape<AnswerResponseOptions> = {
  status: must.optional(must.number),
  headers: must.optional(must.recordOf(must.string)),
  events: must.optional(must.arrayOf(must.oneOf(...Object.keys(eventTypes)))),
};

/**
 * The answer to one message. It can be read once: as events, as text, or as a response. Leaving the loop, or
 * canceling the response, aborts the send.
 *
 * @example
 * const stream = chat.stream('Hello');
 * for await (const text of stream.textStream) process.stdout.write(text);
 * const { usage } = await stream.result;
 */
export class AnswerStream implements AsyncIterable<ConversationEvent> {
  readonly #events: BufferedEvents;
  readonly #result: ResultReader;

  /** @internal */
  constructor(
    send: AsyncIterator<ConversationEvent, undefined>,
    reader: ResultReader,
    stallTimeoutMs = 60_000,
  ) {
    this.#result = reader;
    this.#events = new BufferedEvents(send, reader, stallTimeoutMs);
  }

  /**
   * Resolves to the complete answer once its last event was received. Without a reader, the whole answer is received
   * for it; otherwise the reader sets the pace. Rejects if the send fails or is aborted; a rejection that nobody
   * handles is not reported.
   */
  get result(): Promise<AskResult> {
    return this.#events.result;
  }

  /**
   * Iterates over all events of the send, as `Conversation.send` does.
   *
   * @throws what `send` throws; StrataError `stream.read` if the answer is being read already
   */
  [Symbol.asyncIterator](): AsyncGenerator<ConversationEvent, void, void> {
    this.#result.isHeard = true;
    return this.#read();
  }

  async *#read(): AsyncGenerator<ConversationEvent, void, void> {
    const reader = this.#reader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  /**
   * The text of the answer, as it arrives, without thoughts; if tools run, of the answers before and after them.
   * Reading throws GeminiError if an answer fails after a part of it was read, because that part cannot be taken
   * back; `send` would request the answer again.
   */
  get textStream(): AsyncIterable<string> {
    return textOf(this.#read());
  }

  /**
   * Returns a response with server-sent events: `event: text`, `data: {"type":"text","text":"…"}`. The last event is
   * `done`, or `failed` with the `code` of the error; `fault` says that the client must discard the text of the
   * current answer.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for invalid options; `stream.read`
   */
  toResponse(options: AnswerResponseOptions = {}): Response {
    must.checkOptions(options, responseOptions);
    const { status = 200, headers, events } = options;
    const source = new AnswerSource(this.#reader(), events);
    const body = new ReadableStream<Uint8Array>(source);
    const type = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    };
    return new Response(body, { status, headers: { ...type, ...headers } });
  }

  #reader(): ReadableStreamDefaultReader<ConversationEvent> {
    if (!this.#events.isRead) return this.#events.read();
    throw new StrataError(
      'stream.read',
      'This answer is being read already. Call stream() for another one.',
    );
  }
}

async function* textOf(
  events: AsyncIterable<ConversationEvent>,
): AsyncGenerator<string, void, void> {
  let isPartial = false;
  for await (const event of events) {
    if (event.type === 'text') {
      isPartial = true;
      yield event.text;
    } else if (event.type === 'turn') {
      isPartial = false;
    } else if (event.type === 'fault' && isPartial) {
      const { code, message, finishReason } = event;
      throw new GeminiError(code, message, { finishReason });
    }
  }
}

type Controller = ReadableStreamDefaultController<ConversationEvent>;

// The request is sent, and its answer received, before the reader asks for it, up to this number of events: an answer
// that nobody reads or asks for need not be paid for to its end.
const eventsAhead = 64;

/** The source of a stream of events with a bounded buffer. */
export class BufferedEvents implements UnderlyingDefaultSource<ConversationEvent> {
  readonly #send: AsyncIterator<ConversationEvent, undefined>;
  readonly #reader: ResultReader;
  readonly #stallTimeoutMs: number;
  readonly #stream: ReadableStream<ConversationEvent>;
  readonly #result: Promise<AskResult>;
  #complete: AskResult | undefined;
  #resolve: (result: AskResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Why the send was aborted from here. */
  #abortReason: StrataError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isResultWanted = false;
  /** Ends the wait for room in the buffer. */
  #onRoom = () => {};

  /** Starts the send. `stallTimeoutMs`: how long the buffer may be full before the send is aborted; 0: no limit. */
  constructor(
    send: AsyncIterator<ConversationEvent, undefined>,
    reader: ResultReader,
    stallTimeoutMs: number,
  ) {
    this.#reader = reader;
    this.#send = send;
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#result.catch(() => {});
    this.#stream = new ReadableStream(this, { highWaterMark: eventsAhead });
  }

  get isRead(): boolean {
    return this.#stream.locked;
  }

  /** Returns the reader, of which there can be one. */
  read(): ReadableStreamDefaultReader<ConversationEvent> {
    return this.#stream.getReader();
  }

  /**
   * Resolves when the send has ended, read or not. Its rejection need not be handled. Who asks for it receives the
   * whole answer, unless a reader sets the pace.
   */
  get result(): Promise<AskResult> {
    this.#isResultWanted = true;
    if (!this.isRead) this.#onRoom();
    return this.#result;
  }

  // The first event is requested here, because `pull` is called later: the send keeps its place among others.
  start(controller: Controller): void {
    void this.#readAll(controller);
  }

  pull(): void {
    this.#onRoom();
  }

  async cancel(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#abort(
      new StrataError('stream.left', 'The reader left before the answer was complete'),
    );
  }

  async #readAll(controller: Controller): Promise<void> {
    try {
      while (await this.#readOne(controller)) await this.#room(controller);
    } catch (error) {
      if (this.#abortReason) return;
      this.#reject(error);
      controller.error(error);
    }
  }

  // Returns whether more events may follow. A result that is not there is rejected.
  async #readOne(controller: Controller): Promise<boolean> {
    const { done, value } = await this.#send.next();
    if (this.#abortReason) return false;
    if (done) {
      if (this.#complete) this.#resolve(this.#complete);
      else this.#reject(noAnswerYet());
      controller.close();
      return false;
    }
    this.#complete = this.#reader.add(value) ?? this.#complete;
    controller.enqueue(value);
    return true;
  }

  // Settles when the buffer takes another event.
  #room(controller: Controller): Promise<void> | undefined {
    // Of a stream that its reader has left, the size is 0.
    if (this.#abortReason || (controller.desiredSize ?? 0) > 0) return undefined;
    // Only the end follows. Whoever has the result can send again.
    if (this.#complete) return undefined;
    if (this.#isResultWanted && !this.isRead) return undefined;
    this.#startTimer(controller);
    return new Promise((resolve) => {
      this.#onRoom = () => {
        clearTimeout(this.#timer);
        resolve();
      };
    });
  }

  #startTimer(controller: Controller): void {
    const ms = this.#stallTimeoutMs;
    if (ms === 0) return;
    const abort = () => {
      const message = `The answer was not read for ${ms} ms, so the send was aborted`;
      const error = new StrataError('stream.stalled', message);
      controller.error(error);
      void this.#abort(error);
    };
    this.#timer = setTimeout(abort, Math.min(ms, longestDelay));
    // For a stream that nobody reads, a program need not stay.
    const timer: Restartable = Object(this.#timer);
    if (!this.isRead) timer.unref?.();
  }

  async #abort(error: StrataError): Promise<void> {
    this.#abortReason = error;
    // Nobody reads what ending the send throws.
    await this.#send.return?.().catch(() => {});
    // Last, so that whoever awaits the result can send again.
    this.#reject(error);
  }
}

type Type = ConversationEvent['type'];

const publicTypes: readonly Type[] = ['text', 'thought', 'fault', 'done'];

const encoded = (event: { type: string }): Uint8Array =>
  new TextEncoder().encode(serverSentEvent(event));

// Messages of errors may quote the request, which is private to the server.
const failedEvent = (error: unknown) => ({
  type: 'failed',
  code: error instanceof StrataError ? error.code : 'aborted',
});

/** The source of a response's body. The last event is `done`, `failed`, or `waiting` if it was asked for. */
export class AnswerSource implements UnderlyingDefaultSource<Uint8Array> {
  readonly #reader: ReadableStreamDefaultReader<ConversationEvent>;
  readonly #types: ReadonlySet<Type>;
  #hasEnd = false;

  /** `added`: types of events besides the public ones. */
  constructor(reader: ReadableStreamDefaultReader<ConversationEvent>, added: readonly Type[] = []) {
    this.#reader = reader;
    this.#types = new Set([...publicTypes, ...added]);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const event = await this.#next();
      if (event) controller.enqueue(encoded(event));
      else controller.close();
    } catch (error) {
      // The answer is complete, whatever follows it.
      if (!this.#hasEnd) controller.enqueue(encoded(failedEvent(error)));
      controller.close();
    }
  }

  // Returns the next event that the response contains; undefined at the end.
  async #next(): Promise<ConversationEvent | undefined> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done && !this.#hasEnd) throw noAnswerYet();
      if (done) return undefined;
      if (!this.#types.has(value.type)) continue;
      this.#hasEnd ||= value.type === 'done' || value.type === 'waiting';
      return value;
    }
  }
}
