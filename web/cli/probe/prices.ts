// Looks up what tokens of a model cost.
import { aliases, prices } from './probes.js';
import type { ModelPrice } from './types.js';

/** Returns the price of a model; undefined if it is not known. */
export type PriceOf = (model: string) => Pick<ModelPrice, 'input' | 'output'> | undefined;

/** Returns the prices that hold at a time, RFC 3339. */
export function pricesAt(now: string): PriceOf {
  const day = now.slice(0, 10);
  return (model) => {
    const bare = model.slice(model.lastIndexOf('/') + 1);
    const name = aliases[bare] ?? bare;
    const known = prices.filter(({ id, after }) => name.startsWith(id) && (after ?? '') < day);
    const longest = Math.max(...known.map(({ id }) => id.length));
    // A later price follows the earlier one of the same model.
    return known.findLast(({ id }) => id.length === longest);
  };
}
