// Writes the events of an answer as the body of a response. Errors are known by their code: like event-json.ts, this file
// shares no code with what every page loads.
import { serverSentEvent } from '../internal/event-json.js';
import type { ErrorCode } from '../types/codes.js';
import type { ConversationEvent } from '../types/conversation-event.js';

type Type = ConversationEvent['type'];

const publicTypes: readonly Type[] = ['text', 'thought', 'fault', 'done'];

const encoded = (event: { type: string }): Uint8Array =>
  new TextEncoder().encode(serverSentEvent(event));

// Messages of errors may quote the request, which is private to the server.
function failedEvent(error: unknown) {
  const { code } = Object(error) as { code?: unknown };
  return { type: 'failed', code: typeof code === 'string' ? code : 'aborted' };
}

// Tools left calls open, so there is no answer yet.
const waiting = (): Error =>
  Object.assign(new Error('There is no answer yet'), {
    code: 'conversation.waiting' satisfies ErrorCode,
  });

// Nobody else learns what happened: the client gets only a code.
function printFailure(code: string, error: unknown): void {
  if (code !== 'aborted' && code !== 'conversation.waiting')
    console.error('The answer of toResponse() failed:', error);
}

/** The source of a response's body. The last event is `done`, `failed`, or `waiting` if it was asked for. */
export class AnswerSource {
  readonly #reader: ReadableStreamDefaultReader<ConversationEvent>;
  readonly #types: ReadonlySet<Type>;
  #hasEnd = false;

  /** `added`: types of events besides the public ones. */
  constructor(reader: ReadableStreamDefaultReader<ConversationEvent>, added: readonly Type[] = []) {
    this.#reader = reader;
    this.#types = new Set([...publicTypes, ...added]);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const event = await this.#next();
      if (event) controller.enqueue(encoded(event));
      else controller.close();
    } catch (error) {
      // The answer is complete, whatever follows it.
      if (!this.#hasEnd) {
        const failed = failedEvent(error);
        printFailure(failed.code, error);
        controller.enqueue(encoded(failed));
      }
      controller.close();
    }
  }

  // Returns the next event that the response contains; undefined at the end.
  async #next(): Promise<ConversationEvent | undefined> {
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done && !this.#hasEnd) throw waiting();
      if (done) return undefined;
      if (!this.#types.has(value.type)) continue;
      this.#hasEnd ||= value.type === 'done' || value.type === 'waiting';
      return value;
    }
  }
}
