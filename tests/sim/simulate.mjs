// Computes the costs of traces under all caching strategies, relative to never caching.
import { optimum } from './optimum.mjs';
import {
  fixedPrefix,
  forgotten,
  never,
  opened,
  planned,
  rolling,
  rollingEachTime,
} from './strategies.mjs';

/**
 * @param {object} strata an instance of the package
 * @param {object} trace
 * @returns {{ never: number, fixed: number, each: number, rolling: number, planned: number, opened: number,
 *   forgotten: number, optimum: number, ratio: number }} costs in tokens times USD per million tokens; `opened` and
 *   `forgotten` are the planner's in a conversation that is opened for each message, with its records and without; `ratio`
 *   is the cost of the planner divided by the lowest cost of never caching and the two rolling strategies
 */
export function costsOf(strata, trace) {
  const costs = {
    never: never(trace),
    fixed: fixedPrefix(trace),
    each: rollingEachTime(trace),
    rolling: rolling(trace),
    planned: planned(strata, trace),
    opened: opened(strata, trace),
    forgotten: forgotten(strata, trace),
    optimum: optimum(trace),
  };
  const better = Math.min(costs.never, costs.each, costs.rolling);
  return { ...costs, ratio: better === 0 ? 1 : costs.planned / better };
}

export const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

/** Returns the mean costs relative to never caching, and the mean and the worst ratio. */
export function summarise(costs) {
  const share = (name) => mean(costs.map((cost) => cost[name] / cost.never));
  return {
    fixed: share('fixed'),
    each: share('each'),
    rolling: share('rolling'),
    planned: share('planned'),
    opened: share('opened'),
    forgotten: share('forgotten'),
    optimum: share('optimum'),
    ratio: mean(costs.map(({ ratio }) => ratio)),
    worst: Math.max(...costs.map(({ ratio }) => ratio)),
  };
}
