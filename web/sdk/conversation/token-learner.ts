// Why this file exists: what a turn counts is known of answers only; of all others it is estimated, the better
// the more answers there were.
import type { JsonInput } from '../types/json.js';
import type { Strata } from '../types/strata.js';
import type { Calibration } from '../types/tokens.js';

/** Estimates of one conversation with one model. */
export class TokenLearner {
  readonly #strata: Strata;
  readonly #model: string;
  #calibration: Calibration | undefined;

  constructor(strata: Strata, model: string) {
    this.#strata = strata;
    this.#model = model;
  }

  /** Of a Content, as it would enter a thread. */
  estimate(content: JsonInput): number {
    const json = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return this.#strata.estimateTokens(json, this.#options);
  }

  /** The API counted `tokens` for `content`. */
  learn(content: Uint8Array, tokens: number): void {
    this.#calibration = this.#strata.calibrate(content, tokens, this.#options);
  }

  get #options() {
    return { model: this.#model, calibration: this.#calibration };
  }
}
