// Why this file exists: the least that a conversation could have cost for one who knows all of it: dynamic
// programming over which cache is kept, one at a time, for as long as it is kept.
import { cachedCost, inlineCost, priceOf, storageCost, writeCost } from './prices.mjs';

class States {
  #byCache = new Map();

  /** `cache` is the tokens of the cache that is kept, undefined without one. */
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

// Every prefix that was a place to cut until now.
function prefixes({ at, fixed, cacheable }, requests) {
  const earlier = requests.filter((request) => request.at <= at);
  const tokens = earlier.map((request) => request.cacheable);
  return new Set([fixed, ...tokens].filter((count) => count <= cacheable));
}

// Behind `request`, when all before it stand as in `states`.
function advance(states, request, wait, requests) {
  const price = priceOf(request.model);
  const next = new States();
  next.offer(undefined, states.least + inlineCost(request, price));
  for (const { cache, cost } of states.all) {
    if (!cache) continue;
    const kept = cost + storageCost(cache, wait, price);
    next.offer(cache, kept + cachedCost(request, cache, price));
  }
  for (const tokens of prefixes(request, requests)) {
    if (tokens < price.minimum) continue;
    const made = states.least + writeCost(tokens, price);
    next.offer(tokens, made + cachedCost(request, tokens, price));
  }
  return next;
}

/** Cost of the clairvoyant, model by model: a cache is good for one only. Storage ends when it is let go. */
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
