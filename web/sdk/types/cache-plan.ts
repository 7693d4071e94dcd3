// Defines the input and the output of the cache planner.
import type { Backend } from './backend.js';

/** Describes the CachedContent that could be created now, up to the newest safe split point of the history. */
export interface CachePreview {
  /** The number of turns that the cache would hold. */
  turns: number;
  /** Estimated tokens of the cache. */
  tokens: number;
  /** Estimated tokens of the whole request without a cache. */
  promptTokens: number;
  /** Whether the cache in `input.cache` holds exactly what this request would leave out. */
  usable: boolean;
}

/** The input of `Strata.planCache`: one request and the outcome of the previous one. Times are in seconds from any fixed start. */
export interface CacheRequest {
  model: string;
  /** Default: `gemini`. */
  backend?: Backend;
  /** The time of the request, RFC 3339, which decides about prices. Default: the release date of the package. */
  at?: string;
  now: number;
  /** Tokens of the whole request without a cache. */
  promptTokens: number;
  /** Tokens that a cache created now would hold. */
  cacheableTokens: number;
  /** The existing cache that fits this request, with its expiration time. */
  cache?: { tokens: number; ends: number } | undefined;
  /** The minimum size of a CachedContent. Default: the model's `cacheMinimum`. */
  minimumTokens?: number | undefined;
  /** Counts from the previous response's `usageMetadata`. `explicitTokens` is the size of the CachedContent that the request named, 0 if it named none. */
  last?: { promptTokens: number; cachedTokens: number; explicitTokens: number } | undefined;
  /** The `state` of the previous plan for this conversation and model. */
  state?: CachePlan['state'] | undefined;
}

/** The planner's decision. Costs are tokens × USD per million tokens; docs/caching.md explains the calculation. */
export interface CachePlan {
  decision: CacheDecision;
  /** The lifetime, from now, of a cache that is created or extended. */
  ttlSeconds: number;
  minimumTokens: number;
  /** The additional cost of creating a cache, compared with this request without it. */
  extraCost: number;
  /** What a new cache would save with each later request. */
  savingPerRequest: number;
  /** The number of later requests expected during the cache's lifetime. */
  expectedRequests: number;
  /** The accumulated cost of repeated tokens that a newer cache would have saved, since the last cache was created. */
  overpaid: number;
  /** Opaque state to pass with the next request. */
  state: { [name: string]: number };
}

/**
 * How a request uses the explicit cache: `hit` uses it; `create`, `extend` and `roll` create, prolong or
 * replace it; `inline` sends everything although a cache was wanted; `below_minimum`, `not_worth` and
 * `unsupported` say why there is none.
 */
export type CacheDecision =
  'hit' | 'create' | 'extend' | 'roll' | 'inline' | 'below_minimum' | 'not_worth' | 'unsupported';
