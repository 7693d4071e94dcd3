// Why this file exists: what can be said about masking, and where the results go that it takes out.
import type { MaskOptions } from '../types.js';

/** Where whole results are kept. Texts are the JSON of a functionResponse's `response`, to the byte. */
export interface OutputStore {
  put(name: string, response: string): Promise<void> | void;
  get(name: string): Promise<string | undefined> | string | undefined;
}

/** Options of `masking`. */
export interface MaskingOptions extends MaskOptions {
  /** Default: in memory, with the conversation. */
  outputs?: OutputStore;
}

/** For one process. */
export class MemoryOutputStore implements OutputStore {
  readonly #texts = new Map<string, string>();

  put(name: string, response: string): void {
    this.#texts.set(name, response);
  }

  get(name: string): string | undefined {
    return this.#texts.get(name);
  }
}
