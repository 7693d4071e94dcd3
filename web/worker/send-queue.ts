// Runs the sends of one thread one after the other, and deletes the thread between them.
import { deleted, type Send } from './send.js';

/** The running send and those that wait for it. */
export class SendQueue {
  readonly #sends = new Set<Send>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a send when all before it have ended. */
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

  /** Aborts all sends, and does the work when they have ended; later sends wait for it. */
  afterAborting(work: () => Promise<void>): Promise<void> {
    for (const send of this.#sends) send.abort(deleted());
    return this.#inOrder(work);
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
