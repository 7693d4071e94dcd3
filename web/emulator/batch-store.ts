// Stores the batches of one emulator.
import { SeededRandom } from './hash.js';
import { batchNotFound } from './errors.js';
import type { JsonObject } from './types.js';

/** The state of a batch, without the prefix `BATCH_STATE_`. */
export type BatchState = 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'CANCELLED';

/** A stored batch. Times are in milliseconds since the Unix epoch. */
export interface Batch {
  id: string;
  /** The model without `models/`. */
  model: string;
  displayName: string;
  /** The requests with their metadata, as received. */
  requests: JsonObject[];
  state: BatchState;
  /** The answers, in the order of the requests, once the batch has succeeded. */
  responses: JsonObject[];
  created: number;
  updated: number;
}

/** The batches of one emulator, in order of creation. */
export class BatchStore {
  readonly #batches = new Map<string, Batch>();
  readonly #random: SeededRandom;

  constructor(seed: string) {
    this.#random = new SeededRandom(`batches ${seed}`);
  }

  add(batch: Omit<Batch, 'id'>): Batch {
    const stored = { ...batch, id: this.#random.id(36) };
    this.#batches.set(stored.id, stored);
    return stored;
  }

  /** @throws Failure for an unknown or deleted batch */
  get(id: string): Batch {
    const batch = this.#batches.get(id);
    if (!batch) throw batchNotFound();
    return batch;
  }

  remove(id: string): void {
    this.get(id);
    this.#batches.delete(id);
  }

  /** Returns the batches, newest first. */
  list(): Batch[] {
    return [...this.#batches.values()].reverse();
  }
}
