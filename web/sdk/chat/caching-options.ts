// Defines the options of `caching`.
import * as must from '../internal/options.js';
import type { CacheRegistry } from './stores/cache-registry.js';

/** Options of `caching`. */
export interface CachingOptions {
  /** Where live caches are recorded, for all conversations that share it. Default: the conversation's store. */
  registry?: CacheRegistry;
  /**
   * Names this conversation in the registry, so that its cache and the planner's state are found after a
   * restart. Default: the conversation's store has them; without a store, only caches with the same fingerprint are
   * found.
   */
  session?: string;
  /**
   * Milliseconds that a send waits for a cache to be created before the request is sent without it, and for one to be
   * extended or deleted. Default: 30,000.
   */
  createTimeoutMs?: number;
}

/** @internal */
export const cachingOptions = must.shape<CachingOptions>({
  registry: must.optional(must.objectWith('get', 'put', 'delete')),
  session: must.optional(must.string),
  createTimeoutMs: must.optional(must.nonNegative),
});
