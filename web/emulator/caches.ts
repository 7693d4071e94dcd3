// Stores the CachedContents of one emulator: they expire, are listed in pages, and never return their contents.
import type { Backend } from '../sdk/types/backend.js';
import { cacheNotFound } from './errors.js';
import { SeededRandom } from './hash.js';
import type { JsonObject } from './types.js';

/** A stored CachedContent. Times are in milliseconds since the Unix epoch. */
export interface Cache {
  /** The resource name without `cachedContents/`. */
  id: string;
  /** The model without `models/`. */
  model: string;
  /** System instruction, tools, tool config and contents as received. */
  body: JsonObject;
  tokens: number;
  displayName: string;
  created: number;
  updated: number;
  expires: number;
}

/** The CachedContents of one emulator, in order of creation. */
export class CacheStore {
  readonly #caches = new Map<string, Cache>();
  readonly #random: SeededRandom;
  readonly #backend: Backend;

  constructor(seed: string, backend: Backend) {
    this.#backend = backend;
    this.#random = new SeededRandom(`cachedContents ${seed}`);
  }

  add(cache: Omit<Cache, 'id'>): Cache {
    const stored = { ...cache, id: this.#random.id(12) };
    this.#caches.set(stored.id, stored);
    return stored;
  }

  /**
   * Returns a cache that has not expired.
   *
   * @throws Failure the API's error for an unknown, deleted or expired cache
   */
  get(id: string, now: number): Cache {
    const cache = this.#caches.get(id);
    if (!cache || cache.expires <= now) throw cacheNotFound(id, this.#backend);
    return cache;
  }

  remove(id: string, now: number): void {
    this.get(id, now);
    this.#caches.delete(id);
  }

  /** Returns one page of the caches that have not expired, oldest first, and the offset of the next page. */
  list(now: number, pageSize: number, from: number): { caches: Cache[]; next: number | undefined } {
    const live = [...this.#caches.values()].filter(({ expires }) => expires > now);
    const end = from + pageSize;
    return { caches: live.slice(from, end), next: end < live.length ? end : undefined };
  }
}

/** Returns a cache as the API does: without its contents and without `ttl`. */
export function toResource(cache: Cache): JsonObject {
  return {
    name: `cachedContents/${cache.id}`,
    model: `models/${cache.model}`,
    createTime: new Date(cache.created).toISOString(),
    updateTime: new Date(cache.updated).toISOString(),
    expireTime: new Date(cache.expires).toISOString(),
    displayName: cache.displayName,
    usageMetadata: { totalTokenCount: cache.tokens },
  };
}
