// Why this file exists: a conversation reads one send at a time. Others stand in line, and one that stops
// waiting leaves the order of the rest as it was.

interface Place {
  over: Promise<void>;
  end: () => void;
}

/** A place in the line. */
export interface SendTicket {
  /** Settles when all who came before have left; nothing where nobody is before. */
  before: Promise<unknown> | undefined;
  leave: () => void;
}

/** The send that is read, and those that wait behind it. */
export class SendQueue {
  readonly #places = new Set<Place>();

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /** Takes the last place; `end` is how whoever has it can be asked to go. */
  enter(end: () => void): SendTicket {
    const before = this.isEmpty ? undefined : this.#over();
    let settle = () => {};
    const place = { over: new Promise<void>((resolve) => (settle = resolve)), end };
    this.#places.add(place);
    const leave = () => {
      this.#places.delete(place);
      settle();
    };
    return { before, leave };
  }

  /** Asks all to go; settles when they have. */
  async end(): Promise<void> {
    const over = this.#over();
    for (const { end } of this.#places) end();
    await over;
  }

  #over(): Promise<unknown> {
    return Promise.all([...this.#places].map(({ over }) => over));
  }
}
