// Queues the sends of one conversation: one runs at a time. A send that stops waiting does not change the order
// of the others.

interface Entry {
  finished: Promise<void>;
  cancel: () => void;
}

/** A send's place in the queue. */
export interface SendTicket {
  /** Settles when all earlier sends have left; undefined if there are none. */
  ready: Promise<unknown> | undefined;
  leave: () => void;
}

/** The running send and those that wait for it. */
export class SendQueue {
  readonly #entries = new Set<Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Adds a send to the end of the queue. `cancel` is called by `cancelAll`. */
  enter(cancel: () => void): SendTicket {
    const ready = this.isEmpty ? undefined : this.#allFinished();
    let settle = () => {};
    const entry = { finished: new Promise<void>((resolve) => (settle = resolve)), cancel };
    this.#entries.add(entry);
    const leave = () => {
      this.#entries.delete(entry);
      settle();
    };
    return { ready, leave };
  }

  /** Cancels all sends; settles when they have left. */
  async cancelAll(): Promise<void> {
    const finished = this.#allFinished();
    for (const { cancel } of this.#entries) cancel();
    await finished;
  }

  #allFinished(): Promise<unknown> {
    return Promise.all([...this.#entries].map(({ finished }) => finished));
  }
}
