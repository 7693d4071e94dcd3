// A store that is slow and fails, before or after it has written.

const faults = [
  [12, 'none'],
  [1, 'before'],
  [1, 'after'],
  [0.5, 'slow'],
];

/** What a faulty store throws. */
export class StoreError extends Error {}

/** The store of one process. */
export class FaultyStore {
  /** Set to false when the process ends. */
  isUp = true;
  /** Set to true: nothing fails. */
  isCalm = false;
  /** The errors that were thrown. */
  errors = new Set();
  #world;
  #choices;
  #store;

  /** `store` has what the processes leave behind. */
  constructor(world, choices, store) {
    [this.#world, this.#choices, this.#store] = [world, choices, store];
  }

  async #step(name, work) {
    const fault = this.isCalm ? 'none' : this.#choices.weighted(faults);
    if (fault !== 'none') this.#world.counts.faults++;
    await this.#world.gate(
      `store: ${name}${fault === 'none' ? '' : ` ${fault}`}`,
      fault === 'slow',
    );
    if (fault === 'before' || !this.isUp) throw this.#error(name);
    const result = await work();
    await this.#world.gate(`store: ${name} done`);
    if (fault === 'after' || !this.isUp) throw this.#error(name);
    return result;
  }

  #error(name) {
    const error = new StoreError(`${name} failed`);
    this.errors.add(error);
    return error;
  }

  read(id) {
    return this.#step('read', () => this.#store.read(id));
  }

  write(id, at, lines, expected) {
    return this.#step('write', () => this.#store.write(id, at, lines, expected));
  }

  store(id, name, bytes) {
    return this.#step('store', () => this.#store.store(id, name, bytes));
  }

  readStored(id, name) {
    return this.#step('readStored', () => this.#store.readStored(id, name));
  }

  delete(id) {
    return this.#step('delete', () => this.#store.delete(id));
  }
}
