// Stores the CachedContents of one emulator: they expire, are listed in pages, and never return their contents.
import type { Backend } from '../sdk/types/model.js';
import { cacheNotFound } from './errors.js';
import { SeededRandom } from './hash.js';
import type { Place } from '../server/match-route.js';
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

  constructor(seed: string) {
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
  get(id: string, now: number, backend: Backend): Cache {
    const cache = this.#caches.get(id);
    if (!cache || cache.expires <= now) throw cacheNotFound(id, backend);
    return cache;
  }

  remove(id: string, now: number, backend: Backend): void {
    this.get(id, now, backend);
    this.#caches.delete(id);
  }

  /** Returns the caches that have not expired, oldest first. */
  list(now: number): Cache[] {
    return [...this.#caches.values()].filter(({ expires }) => expires > now);
  }
}

/** Returns a cache as the API does: without its contents and without `ttl`. Vertex AI's names have the project. */
export function toResource(cache: Cache, { parent }: Place): JsonObject {
  const name = `cachedContents/${cache.id}`;
  const model = `models/${cache.model}`;
  return {
    name: parent === '' ? name : `${parent}/${name}`,
    model: parent === '' ? model : `${parent}/publishers/google/${model}`,
    createTime: new Date(cache.created).toISOString(),
    updateTime: new Date(cache.updated).toISOString(),
    expireTime: new Date(cache.expires).toISOString(),
    displayName: cache.displayName,
    usageMetadata: { totalTokenCount: cache.tokens },
  };
}
