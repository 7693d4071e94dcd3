// Writes the decision about a cache, its reason and its numbers into the manifest.
import type { CachePlan, Manifest } from '../../sdk/types/manifest.js';

type CacheNote = Manifest['cache'];

/** The numbers of a plan, in the form that the manifest has. */
export type PlanNumbers = NonNullable<CacheNote['plan']>;

// Costs are tokens times USD per million tokens.
const usd = (cost: number) => `${(cost / 1e6).toPrecision(3)} USD`;
const tokens = (count: number) => `${Math.round(count)} tokens`;

const reasons: { [decision: string]: (plan: PlanNumbers) => string } = {
  create: (plan) =>
    `${tokens(plan.cacheableTokens)} are cached for ${plan.ttlSeconds} s: that costs ` +
    `${usd(plan.extraCost)} more than not to, and saves ${usd(plan.savingPerRequest)} in each of ` +
    `about ${plan.expectedRequests.toFixed(1)} further requests`,
  roll: (plan) =>
    `a cache of ${tokens(plan.cacheableTokens)} replaces one of ${tokens(plan.cachedTokens)}: it costs ` +
    `${usd(plan.extraCost)} more now, ${usd(plan.overpaid)} were overpaid for what the old one lacks, ` +
    `and ${usd(plan.savingPerRequest)} would be in each further request`,
  extend: (plan) =>
    `${tokens(plan.cachedTokens)} come from the cache, which lives ${plan.ttlSeconds} s more: that is ` +
    'cheaper than another one while requests come at this pace',
  hit: (plan) =>
    `${tokens(plan.cachedTokens)} come from the cache; a new one of ${tokens(plan.cacheableTokens)} ` +
    `would cost ${usd(plan.extraCost)} more now, and ${usd(plan.overpaid)} were overpaid so far`,
  not_worth: (plan) =>
    `a cache of ${tokens(plan.cacheableTokens)} would cost ${usd(plan.extraCost)} more than it is ` +
    `expected to save: ${usd(plan.savingPerRequest)} in each of about ` +
    `${plan.expectedRequests.toFixed(1)} further requests`,
  below_minimum: (plan) =>
    `about ${tokens(plan.cacheableTokens)} could be cached; a cache of this model needs ` +
    `${plan.minimumTokens}`,
  unsupported: () => 'the model has no explicit caching',
};

/** Returns the numbers of a plan for the manifest. */
export function planNumbers(
  { state: _, ...plan }: CachePlan,
  cacheableTokens: number,
  cachedTokens: number,
): PlanNumbers {
  return { ...plan, ttlSeconds: Math.round(plan.ttlSeconds), cacheableTokens, cachedTokens };
}

/** Writes a plan into the manifest. `failure` says why no cache was created. */
export function annotate(note: CacheNote, plan: PlanNumbers, failure: string | undefined): void {
  note.plan = plan;
  if (failure !== undefined) {
    note.reason = `${failure}; ${note.reason}`;
    return;
  }
  // If the assembled request contradicts the plan about using a cache, its own reason stays.
  const uses = plan.decision !== 'not_worth' && plan.decision !== 'below_minimum';
  if (uses !== (note.decision === 'hit') && plan.decision !== 'unsupported') return;
  note.decision = plan.decision;
  note.reason = reasons[plan.decision]?.(plan) ?? note.reason;
}
