// Delivers events from work that is awaited as one promise (a hook, a retry delay, a tool) while it runs.
import type { ConversationEvent } from '../types/conversation-event.js';

export type Events<Result = void> = AsyncGenerator<ConversationEvent, Result, void>;

/** A queue of events that is read while work runs. */
export class EventQueue {
  readonly #queue: ConversationEvent[] = [];
  #wake: () => void = () => {};

  /** Adds an event to the queue. */
  readonly emit = (event: ConversationEvent): void => {
    this.#queue.push(event);
    this.#wake();
  };

  /** Yields the emitted events until `work` settles, then returns its result or throws its rejection. */
  async *during<Result>(work: PromiseLike<Result>): Events<Result> {
    let settled = false;
    const onSettled = () => {
      settled = true;
      this.#wake();
    };
    work.then(onSettled, onSettled);
    for (;;) {
      for (let event = this.#queue.shift(); event; event = this.#queue.shift()) yield event;
      if (settled) return await work;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
