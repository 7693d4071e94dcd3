// Why this file exists: how far the estimate of a whole request is off shows with each answer, and the next
// request is of the same kind.
import type { Manifest } from '../types/manifest.js';

// The estimate of a short request says little, and no tokenizer is further off.
const shortest = 500;
const furthest = 2;

/** Estimated tokens of a request's layers. */
export const tokensOf = ({ layers }: Manifest): number =>
  layers.reduce((sum, { tokens }) => sum + tokens, 0);

/** Tokens that the API counts for each that is estimated. */
export class PromptScale {
  #scale = 1;

  /** The estimate as it is corrected. */
  of(estimate: number): number {
    return Math.round(estimate * this.#scale);
  }

  learn(estimate: number, counted: unknown): void {
    if (typeof counted !== 'number' || counted <= 0 || estimate < shortest) return;
    this.#scale = Math.min(furthest, Math.max(1 / furthest, counted / estimate));
  }
}
