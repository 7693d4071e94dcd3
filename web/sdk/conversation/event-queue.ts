// Why this file exists: work that is awaited as one promise (a hook, a retry's wait, a tool) tells events
// while it runs; the reader of a send gets them then, not afterwards.
import type { ConversationEvent } from '../types/conversation-event.js';

export type Events<Result = void> = AsyncGenerator<ConversationEvent, Result, void>;

/** A queue of events, read while work runs. */
export class EventQueue {
  readonly #queue: ConversationEvent[] = [];
  #wake: () => void = () => {};

  /** Puts an event into the queue. */
  readonly emit = (event: ConversationEvent): void => {
    this.#queue.push(event);
    this.#wake();
  };

  /** Yields what is told until `work` settles; gives its result or throws what it rejected with. */
  async *during<Result>(work: PromiseLike<Result>): Events<Result> {
    let settled = false;
    const end = () => {
      settled = true;
      this.#wake();
    };
    work.then(end, end);
    for (;;) {
      for (let event = this.#queue.shift(); event; event = this.#queue.shift()) yield event;
      if (settled) return await work;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
