// Why this file exists: what the planner is compared with: three plain ways of caching, and its own.
import {
  cachedCost,
  implicitTokens,
  inlineCost,
  priceOf,
  storageCost,
  writeCost,
} from './prices.mjs';

/** Every request in full; what the service caches by itself is cheaper. */
export function never({ requests }) {
  return requests.reduce((sum, request) => sum + inlineCost(request, priceOf(request.model)), 0);
}

// A cache of the size that `wanted` says, five minutes long, prolonged with every request.
const plainTtl = 300;

function plain({ requests }, wanted) {
  const caches = new Map();
  let sum = 0;
  for (const request of requests) {
    const price = priceOf(request.model);
    const old = caches.get(request.model);
    const live = old && old.ends >= request.at ? old : undefined;
    const tokens = wanted(request, live, price);
    const ends = request.at + plainTtl;
    if (tokens < price.minimum) {
      sum += inlineCost(request, price);
      continue;
    }
    const kept = live?.tokens === tokens;
    sum += kept
      ? storageCost(tokens, ends - live.ends, price)
      : writeCost(tokens, price) + storageCost(tokens, plainTtl, price);
    caches.set(request.model, { tokens, ends });
    sum += cachedCost(request, tokens, price);
  }
  return sum;
}

/** System instruction and tools in a cache, never more. */
export const fixedPrefix = (trace) => plain(trace, ({ fixed }) => fixed);

/** A new cache for every request that could have a larger one. */
export const rollingEachTime = (trace) => plain(trace, ({ cacheable }) => cacheable);

/** A new cache as soon as the tail behind the old one could be a cache of its own. */
export const rolling = (trace) =>
  plain(trace, ({ cacheable }, live, { minimum }) =>
    !live || cacheable - live.tokens >= minimum ? cacheable : live.tokens,
  );

/** What one conversation with one model has: the planner's state, its cache, what was counted last. */
class Planned {
  state;
  cache;
  last;

  request(strata, request) {
    const price = priceOf(request.model);
    if (this.cache && this.cache.ends < request.at) this.cache = undefined;
    const plan = this.#ask(strata, request);
    const ends = request.at + plan.ttlSeconds;
    let cost = 0;
    if (plan.decision === 'create' || plan.decision === 'roll') {
      const { cacheable: tokens } = request;
      cost += writeCost(tokens, price) + storageCost(tokens, plan.ttlSeconds, price);
      this.cache = { tokens, ends };
    } else if (plan.decision === 'extend') {
      cost += storageCost(this.cache.tokens, ends - this.cache.ends, price);
      this.cache.ends = ends;
    }
    const explicitTokens = this.cache?.tokens ?? 0;
    const cachedTokens = explicitTokens || implicitTokens(request, price);
    this.last = { promptTokens: request.prompt, cachedTokens, explicitTokens };
    return (
      cost +
      (explicitTokens ? cachedCost(request, explicitTokens, price) : inlineCost(request, price))
    );
  }

  #ask(strata, { model, at, prompt, cacheable }) {
    const { cache, last, state } = this;
    const about = { model, now: at, promptTokens: prompt, cacheableTokens: cacheable };
    const plan = strata.planCache({ ...about, cache, last, state });
    this.state = plan.state;
    return plan;
  }
}

/** As the planner of the core decides. */
export function planned(strata, { requests }) {
  const models = new Map();
  return requests.reduce((sum, request) => {
    const of = models.get(request.model) ?? new Planned();
    models.set(request.model, of);
    return sum + of.request(strata, request);
  }, 0);
}
