// Queues the sends of one conversation: one runs at a time. A send that stops waiting does not change the order
// of the others.

interface Entry {
  finished: Promise<void>;
  end: (error: Error) => void;
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

  /** Adds a send to the end of the queue. `end` is called by `endAll`. */
  enter(end: (error: Error) => void): SendTicket {
    const ready = this.isEmpty ? undefined : this.#allFinished();
    let settle = () => {};
    const entry = { finished: new Promise<void>((resolve) => (settle = resolve)), end };
    this.#entries.add(entry);
    const leave = () => {
      this.#entries.delete(entry);
      settle();
    };
    return { ready, leave };
  }

  /** Ends all sends with this error; settles when they have left. */
  async endAll(error: Error): Promise<void> {
    const finished = this.#allFinished();
    for (const { end } of this.#entries) end(error);
    await finished;
  }

  #allFinished(): Promise<unknown> {
    return Promise.all([...this.#entries].map(({ finished }) => finished));
  }
}
