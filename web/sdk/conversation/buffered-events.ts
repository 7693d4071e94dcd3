// Reads the events of a send ahead of its reader, and aborts a send whose reader leaves or stops reading.
import { longestDelay } from '../base/abort.js';
import { StrataError } from '../base/errors.js';
import { resultIn, type AskResult } from './ask-result.js';
import type { ConversationEvent } from '../types/conversation-event.js';

type Controller = ReadableStreamDefaultController<ConversationEvent>;

// The request is sent, and its answer received, before the reader asks for it, up to this number of events.
const eventsAhead = 64;

/** The source of a stream of events with a bounded buffer. */
export class BufferedEvents implements UnderlyingDefaultSource<ConversationEvent> {
  readonly #send: AsyncIterator<ConversationEvent, undefined>;
  readonly #stallTimeoutMs: number;
  readonly #noAnswer: () => Error;
  /** Resolves when `done` was received, read or not. Its rejection need not be handled. */
  readonly result: Promise<AskResult>;
  #resolve: (result: AskResult) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  /** Why the send was aborted from here. */
  #abortReason: StrataError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `stallTimeoutMs`: how long the buffer may be full before the send is aborted; 0: no limit. */
  constructor(
    send: AsyncIterator<ConversationEvent, undefined>,
    stallTimeoutMs: number,
    noAnswer: () => Error,
  ) {
    this.#send = send;
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#noAnswer = noAnswer;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.result.catch(() => {});
  }

  /** Starts the send. */
  open(): ReadableStream<ConversationEvent> {
    return new ReadableStream(this, { highWaterMark: eventsAhead });
  }

  async pull(controller: Controller): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const { done, value } = await this.#send.next();
      if (this.#abortReason) return;
      if (done) return this.#close(controller);
      const result = resultIn(value);
      if (result) this.#resolve(result);
      controller.enqueue(value);
      if ((controller.desiredSize ?? 0) <= 0) this.#startTimer(controller);
    } catch (error) {
      if (this.#abortReason) return;
      this.#reject(error);
      controller.error(error);
    }
  }

  async cancel(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#abort(
      new StrataError('stream.left', 'The reader left before the answer was complete'),
    );
  }

  // Rejects a result that is not there. Has no effect after `done`.
  #close(controller: Controller): void {
    this.#reject(this.#noAnswer());
    controller.close();
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
  }

  async #abort(error: StrataError): Promise<void> {
    this.#abortReason = error;
    // Nobody reads what ending the send throws.
    await this.#send.return?.().catch(() => {});
    // Last, so that whoever awaits the result can send again.
    this.#reject(error);
  }
}
