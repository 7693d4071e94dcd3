// Computes the least possible cost of a conversation with full knowledge of its requests: dynamic programming over
// which single cache is alive after each request.
import { cachedCost, inlineCost, priceOf, storageCost, writeCost } from './prices.mjs';

class States {
  #byCache = new Map();

  /** Keeps the lowest cost for each cache; `cache` is its number of tokens, or undefined without a cache. */
  offer(cache, cost) {
    const known = this.#byCache.get(cache);
    if (!known || cost < known.cost) this.#byCache.set(cache, { cache, cost });
  }

  get least() {
    return Math.min(...this.all.map(({ cost }) => cost));
  }

  get all() {
    return [...this.#byCache.values()];
  }
}

// Returns every prefix length at which the history could be split until now.
function prefixes({ at, fixed, cacheable }, requests) {
  const earlier = requests.filter((request) => request.at <= at);
  const tokens = earlier.map((request) => request.cacheable);
  return new Set([fixed, ...tokens].filter((count) => count <= cacheable));
}

// Returns the states after `request`, given the states before it.
function advance(states, request, wait, requests) {
  const price = priceOf(request.model);
  const next = new States();
  next.offer(undefined, states.least + inlineCost(request, price));
  for (const { cache, cost } of states.all) {
    if (!cache) continue;
    const stored = cost + storageCost(cache, wait, price);
    next.offer(cache, stored + cachedCost(request, cache, price));
  }
  for (const tokens of prefixes(request, requests)) {
    if (tokens < price.minimum) continue;
    const created = states.least + writeCost(tokens, price);
    next.offer(tokens, created + cachedCost(request, tokens, price));
  }
  return next;
}

/** Returns the least possible cost, summed over models, since a cache belongs to one model. Deleting is free. */
export function optimum({ requests }) {
  let sum = 0;
  for (const model of new Set(requests.map((request) => request.model))) {
    const own = requests.filter((request) => request.model === model);
    let states = new States();
    states.offer(undefined, 0);
    own.forEach((request, i) => {
      const wait = i === 0 ? 0 : request.at - own[i - 1].at;
      states = advance(states, request, wait, requests);
    });
    sum += states.least;
  }
  return sum;
}
