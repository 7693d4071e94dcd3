// Why this file exists: what a turn counts is known of answers only; of all others it is estimated, the better
// the more answers there were.
import type { Calibration, Strata } from '../types.js';

/** Estimates of one conversation with one model. */
export class TokenLearner {
  readonly #strata: Strata;
  readonly #model: string;
  #calibration: Calibration | undefined;

  constructor(strata: Strata, model: string) {
    this.#strata = strata;
    this.#model = model;
  }

  estimate(content: Uint8Array): number {
    const { calibration, model } = this.#options;
    return this.#strata.estimateTokens(content, { model, calibration });
  }

  /** The API counted `tokens` for `content`. */
  learn(content: Uint8Array, tokens: number): void {
    this.#calibration = this.#strata.calibrate(content, tokens, this.#options);
  }

  get #options() {
    return { model: this.#model, calibration: this.#calibration };
  }
}
