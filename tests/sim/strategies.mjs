// Caching strategies for the simulation: no cache, three simple strategies, and the planner of the core.
import {
  cachedCost,
  implicitTokens,
  inlineCost,
  priceOf,
  storageCost,
  writeCost,
} from './prices.mjs';

/** Returns the cost without explicit caches; implicit cache hits are cheaper. */
export function never({ requests }) {
  return requests.reduce((sum, request) => sum + inlineCost(request, priceOf(request.model)), 0);
}

const simpleTtl = 300;

// Returns the cost with a cache of `sizeOf(request)` tokens and a TTL of five minutes, which every request extends.
function simple({ requests }, sizeOf) {
  const caches = new Map();
  let sum = 0;
  for (const request of requests) {
    const price = priceOf(request.model);
    const old = caches.get(request.model);
    const live = old && old.ends >= request.at ? old : undefined;
    const tokens = sizeOf(request, live, price);
    const ends = request.at + simpleTtl;
    if (tokens < price.minimum) {
      sum += inlineCost(request, price);
      continue;
    }
    const reused = live?.tokens === tokens;
    sum += reused
      ? storageCost(tokens, ends - live.ends, price)
      : writeCost(tokens, price) + storageCost(tokens, simpleTtl, price);
    caches.set(request.model, { tokens, ends });
    sum += cachedCost(request, tokens, price);
  }
  return sum;
}

/** Caches only the system instruction and the tools. */
export const fixedPrefix = (trace) => simple(trace, ({ fixed }) => fixed);

/** Creates a new cache for every request that could use a larger one. */
export const rollingEachTime = (trace) => simple(trace, ({ cacheable }) => cacheable);

/** Creates a new cache when the history after the old one is itself large enough to cache. */
export const rolling = (trace) =>
  simple(trace, ({ cacheable }, live, { minimum }) =>
    !live || cacheable - live.tokens >= minimum ? cacheable : live.tokens,
  );

/** The state of one conversation with one model: the planner's state, the cache, and the last usage. */
class PlannedConversation {
  state;
  cache;
  last;

  /** Returns the conversation as it is opened again from what a store has of it. */
  reopened() {
    return Object.assign(new PlannedConversation(), JSON.parse(JSON.stringify(this)));
  }

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

// `open` returns the conversation for a message, given the one of the message before.
function followed(strata, { requests }, open) {
  const models = new Map();
  return requests.reduce((sum, request) => {
    const before = models.get(request.model);
    const conversation = before && !request.opens ? before : open(before);
    models.set(request.model, conversation);
    return sum + conversation.request(strata, request);
  }, 0);
}

/** Follows the decisions of the planner in the core. */
export const planned = (strata, trace) =>
  followed(strata, trace, (before) => before ?? new PlannedConversation());

/** Opens the conversation for each message, with what its store has of the planner and its cache. */
export const opened = (strata, trace) =>
  followed(strata, trace, (before) => before?.reopened() ?? new PlannedConversation());

/** Opens the conversation for each message, and finds no cache again. */
export const forgotten = (strata, trace) =>
  followed(strata, trace, () => new PlannedConversation());
