// Corrects the token estimate of whole requests by what the API counted for earlier ones.

// Short requests are too noisy to learn from, and no known tokenizer differs by more than this factor.
const minEstimate = 500;
const maxFactor = 2;

/** Ratio of counted to estimated tokens. */
export class PromptScale {
  #scale = 1;

  get value(): number {
    return this.#scale;
  }

  set value(scale: number) {
    this.#scale = Math.min(maxFactor, Math.max(1 / maxFactor, scale));
  }

  /** Returns the corrected estimate. */
  apply(estimate: number): number {
    return Math.round(estimate * this.#scale);
  }

  /** Updates the ratio: the API counted `counted` tokens for this estimate. */
  learn(estimate: number, counted: unknown): void {
    if (typeof counted !== 'number' || counted <= 0 || estimate < minEstimate) return;
    this.value = counted / estimate;
  }
}
