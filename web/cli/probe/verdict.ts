// Compares what the API did with what the rules predict, and adds up what it cost.
import type { PriceOf } from './prices.js';
import type { ProbeRequest, RuleProbe, Verdict } from './types.js';

/** Returns whether the API did with a request what was predicted. */
export function verdictOf({ predicted, outcome }: ProbeRequest): Verdict {
  if (outcome === undefined || outcome.taken === 'undecided') return 'undecided';
  return outcome.taken === predicted.taken ? 'agrees' : 'differs';
}

/** Returns whether the API did what a rule expects, with both requests. */
export function ruleVerdict({ failing, fixed }: RuleProbe): Verdict {
  const verdicts = [failing, fixed].map(verdictOf);
  const [worst] = (['differs', 'undecided'] as const).filter((each) => verdicts.includes(each));
  return worst ?? 'agrees';
}

/** Whether a predicted refusal had other words than the catalogue has. */
export function hasOtherWords({ predicted: { taken, upstream }, outcome }: ProbeRequest): boolean {
  if (taken !== 'refused' || outcome?.taken !== 'refused' || upstream === undefined) return false;
  return outcome.message.trim() !== upstream.trim();
}

/** Tokens and their price. `unpriced`: models whose price is unknown. */
export interface Cost {
  inputTokens: number;
  outputTokens: number;
  usd: number;
  unpriced: string[];
}

/** Adds up tokens and their prices. */
export function costOf(
  counted: { model: string; inputTokens: number; outputTokens: number }[],
  priceOf: PriceOf,
): Cost {
  const cost: Cost = { inputTokens: 0, outputTokens: 0, usd: 0, unpriced: [] };
  for (const { model, inputTokens, outputTokens } of counted) {
    const price = priceOf(model);
    cost.inputTokens += inputTokens;
    cost.outputTokens += outputTokens;
    if (price) cost.usd += (inputTokens * price.input + outputTokens * price.output) / 1e6;
    else if (!cost.unpriced.includes(model)) cost.unpriced.push(model);
  }
  return cost;
}

/** Returns what the accepted requests cost. Refused ones are free. */
export function spent(requests: ProbeRequest[], priceOf: PriceOf): Cost {
  const counted = requests.flatMap(({ model, outcome }) =>
    outcome?.taken === 'accepted' ? [{ model, ...outcome }] : [],
  );
  return costOf(counted, priceOf);
}
