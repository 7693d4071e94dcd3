// Why this file exists: what can be said about caching, apart from what it does.
import * as must from '../../base/options.js';
import type { CacheRegistry } from './registry.js';

/** Options of `caching`. */
export interface CachingOptions {
  /** Where live caches are remembered. Default: in memory, for this conversation alone. */
  registry?: CacheRegistry;
  /**
   * Names this conversation in the registry, so that its cache and its pace are found again after a
   * restart. Without it only caches of the same fingerprint are.
   */
  session?: string;
  /** Milliseconds that a request waits for its cache to be made, before it goes without. Default: 30,000. */
  createTimeoutMs?: number;
}

export const cachingOptions = must.shape<CachingOptions>({
  registry: must.optional(must.objectWith('get', 'put', 'delete')),
  session: must.optional(must.string),
  createTimeoutMs: must.optional(must.nonNegative),
});
