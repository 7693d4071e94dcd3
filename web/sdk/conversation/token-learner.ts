// Estimates the tokens of turns that the API did not count, and calibrates the estimate with the turns that it
// counted.
import type { JsonInput } from '../types/json.js';
import type { Strata } from '../types/strata.js';
import type { Calibration, EstimateOptions } from '../types/tokens.js';

/** Token estimates for one conversation with one model. */
export class TokenLearner {
  readonly #strata: Strata;
  readonly #target: () => EstimateOptions;
  #calibration: Calibration | undefined;

  /** `target` returns the model, its service and the time. */
  constructor(strata: Strata, target: () => EstimateOptions) {
    this.#strata = strata;
    this.#target = target;
  }

  /** Returns the estimated tokens of a Content in a form that `Thread.append` takes. */
  estimate(content: JsonInput): number {
    const json = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return this.#strata.estimateTokens(json, this.#options);
  }

  /** Calibrates the estimate: the API counted `tokens` for `content`. */
  learn(content: Uint8Array, tokens: number): void {
    this.#calibration = this.#strata.calibrate(content, tokens, this.#options);
  }

  get #options() {
    return { ...this.#target(), calibration: this.#calibration };
  }
}
