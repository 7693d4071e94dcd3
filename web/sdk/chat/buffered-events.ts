// Reads the events of a send ahead of its reader, and aborts a send whose reader leaves or stops reading; without a
// reader, it reads on for those who asked for the result alone. The public types of answers do not name this file: not
// every program has the types of streams' sources.
import { StrataError } from '../internal/errors.js';
import { longestDelay, type Restartable } from '../internal/lifetime.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { noAnswerYet, type AskResult, type ResultReader } from './ask-result.js';

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
