// Calculates what the tokens of an answer cost.
import type { ModelPrice } from '../types/model.js';

/** Tokens of one answer. */
export interface TokenCounts {
  input: number;
  /** The part of the input that came from a cache. */
  cached: number;
  /** With those of thoughts. */
  output: number;
}

/** Returns what tokens cost in USD. */
export function costOf({ input, cached, output }: TokenCounts, price: ModelPrice): number {
  const uncached = Math.max(0, input - cached);
  return (uncached * price.input + cached * price.cacheRead + output * price.output) / 1e6;
}
