// Runs the sends of one thread one after the other, and deletes the thread after aborting them.
import { threadDeleted, type Send } from './send.js';

/** Holds the running send of a thread and the queued ones. */
export class SendQueue {
  readonly #sends = new Set<Send>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a send after all earlier ones have ended. */
  add(send: Send, work: () => Promise<void>): Promise<void> {
    this.#sends.add(send);
    return this.#inOrder(async () => {
      try {
        await work();
      } finally {
        this.#sends.delete(send);
      }
    });
  }

  /** Aborts all sends, waits until they have ended, and runs `work`. Later sends wait for it. */
  afterAborting(work: () => Promise<void>): Promise<void> {
    for (const send of this.#sends) send.abort(threadDeleted());
    return this.#inOrder(work);
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
