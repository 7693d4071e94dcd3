// What the cache planner is asked, and what it decides.

/** What `cachedContents.create` would be asked to hold at the newest place where a history may be cut. */
export interface CachePreview {
  /** Turns that would leave the buffer. */
  turns: number;
  /** Estimated tokens of the cache. */
  tokens: number;
  /** Estimated tokens of the whole request, were it sent without a cache. */
  promptTokens: number;
  /** The cache that `input.cache` names holds what this request leaves out. */
  usable: boolean;
}

/** What the cache planner is asked: one request, and what came of the one before. Times are seconds from any start. */
export interface CacheRequest {
  model: string;
  now: number;
  /** Of the whole request, were it sent without a cache. */
  promptTokens: number;
  /** Of a cache that was made now. */
  cacheableTokens: number;
  /** The cache that lives and fits this request. */
  cache?: { tokens: number; ends: number } | undefined;
  /** Default: the model's row. */
  minimumTokens?: number | undefined;
  /** The last request's `usageMetadata`; `explicitTokens` are those of the cache that it named, 0 without one. */
  last?: { promptTokens: number; cachedTokens: number; explicitTokens: number } | undefined;
  /** Of the last plan for this conversation and model. */
  state?: CachePlan['state'] | undefined;
}

/** What the planner says. Costs are tokens times USD a million; docs/caching.md tells how they are weighed. */
export interface CachePlan {
  decision: CacheDecision;
  /** How long a cache that is made or extended is to live from now on. */
  ttlSeconds: number;
  minimumTokens: number;
  /** What a new cache would cost more than this request costs without it. */
  extraCost: number;
  /** What it would save each further request. */
  savingPerRequest: number;
  /** How many further requests are expected while it lives. */
  expectedRequests: number;
  /** What was paid too much for repeated tokens since the last cache was made. */
  overpaid: number;
  /** To be given back with the next request. */
  state: { [name: string]: number };
}

/** What a request does about the explicit cache. */
export type CacheDecision =
  'hit' | 'create' | 'extend' | 'roll' | 'inline' | 'below_minimum' | 'not_worth' | 'unsupported';
