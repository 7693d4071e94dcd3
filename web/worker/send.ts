// Runs one send to its end or deadline, whether or not its reader stays connected.
import type { Conversation } from '../index.js';
import { deadlineOf, type Env } from './env.js';
import { errorBody } from './error-body.js';
import type { EventStream } from './event-stream.js';
import { HttpError } from '../sdk/server/http-error.js';
import type { ChatEvent } from './visible.js';

/** One send. Its deadline starts with `run`. */
export class Send {
  readonly #env: Env;
  readonly #deadlineMs: number;
  readonly #controller = new AbortController();

  /** @throws HttpError if SEND_DEADLINE_MS is invalid */
  constructor(env: Env) {
    this.#env = env;
    this.#deadlineMs = deadlineOf(env);
  }

  /** Aborts the send. Its reader receives a `failed` event with this reason. */
  abort(reason: HttpError): void {
    this.#controller.abort(reason);
  }

  /**
   * Sends the message and pushes all events to the reader: those of the conversation, `failed` after an error, and
   * last the event that `end` returns. Never rejects. Resolves when the conversation is free for the next send.
   */
  async run(
    reader: EventStream,
    message: string,
    open: () => Promise<Conversation>,
    end: (conversation: Conversation) => ChatEvent,
  ): Promise<void> {
    const timer = setTimeout(
      () => this.abort(deadlineExceeded(this.#deadlineMs)),
      this.#deadlineMs,
    );
    try {
      const conversation = await open();
      await this.#pump(conversation.send(message, this.#controller), reader);
      if (!this.#isDeleted) reader.push(end(conversation));
    } catch (error) {
      reader.push({ type: 'failed', error: errorBody(error, this.#env) });
    } finally {
      clearTimeout(timer);
      reader.end();
    }
  }

  // Reports an error as an event, because the thread is still valid and the last event follows.
  async #pump(events: AsyncIterable<ChatEvent>, reader: EventStream): Promise<void> {
    const { signal } = this.#controller;
    try {
      for await (const event of events) reader.push(event);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      reader.push({ type: 'failed', error: errorBody(reason, this.#env) });
    }
  }

  get #isDeleted(): boolean {
    const { reason } = this.#controller.signal;
    return reason instanceof HttpError && reason.code === deletedCode;
  }
}

const deletedCode = 'thread.deleted';

/** Creates the abort reason for sends to a thread that is being deleted. */
export const threadDeleted = () => new HttpError(409, deletedCode, 'The thread was deleted');

/** Creates the abort reason for a send whose only reader disconnected. */
export const readerDisconnected = () =>
  new HttpError(499, 'reader.left', 'The reader disconnected');

const deadlineExceeded = (ms: number) =>
  new HttpError(504, 'send.deadline', `The send took longer than ${ms} ms (SEND_DEADLINE_MS)`);
