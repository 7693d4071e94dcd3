// Writes the events of an answer as the body of a response: server-sent events without what is private to the server.
import { StrataError } from '../internal/errors.js';
import { serverSentEvent } from '../internal/json-text.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { noAnswerYet } from './waiting-error.js';

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
