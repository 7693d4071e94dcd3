// Runs one send to its end, whether or not anybody reads its events.
import type { Conversation } from '../index.js';
import { deadlineOf, type Env } from './env.js';
import { errorBody } from './error-body.js';
import type { EventStream } from './event-stream.js';
import { HttpError } from './http-error.js';
import type { ChatEvent } from './visible.js';

/** One send, within a deadline that begins with `run`. */
export class Send {
  readonly #env: Env;
  readonly #deadlineMs: number;
  readonly #controller = new AbortController();

  constructor(env: Env) {
    this.#env = env;
    this.#deadlineMs = deadlineOf(env);
  }

  /** Ends the send; its reader gets `failed` with this reason. */
  abort(reason: HttpError): void {
    this.#controller.abort(reason);
  }

  /**
   * Sends the message and pushes every event, `failed` and the event of `end` included. Never rejects, and settles
   * when the conversation is free for the next send.
   */
  async run(
    reader: EventStream,
    message: string,
    open: () => Promise<Conversation>,
    end: (conversation: Conversation) => ChatEvent,
  ): Promise<void> {
    const timer = setTimeout(() => this.abort(late(this.#deadlineMs)), this.#deadlineMs);
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

  // What fails here is an event: the thread is whole, and its state follows.
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

/** The reason for ending the sends of a thread that is deleted. */
export const deleted = () => new HttpError(409, deletedCode, 'The thread was deleted');

/** The reason for ending a send whose events nobody gets. */
export const readerLeft = () => new HttpError(499, 'reader.left', 'The reader left');

const late = (ms: number) =>
  new HttpError(504, 'send.deadline', `The send took longer than ${ms} ms (SEND_DEADLINE_MS)`);
