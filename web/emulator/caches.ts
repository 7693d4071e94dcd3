// Why this file exists: the CachedContents of one emulator: they expire, are listed in pages, and
// never show what they hold.
import type { Backend } from '../sdk/types/backend.js';
import { cacheNotFound } from './errors.js';
import { Dice } from './hash.js';
import type { JsonObject } from './types.js';

/** A stored CachedContent. Times are milliseconds since 1970. */
export interface Cache {
  /** What stands behind `cachedContents/`. */
  id: string;
  /** Without `models/`. */
  model: string;
  /** System instruction, tools, tool config and contents, as they came. */
  body: JsonObject;
  tokens: number;
  displayName: string;
  created: number;
  updated: number;
  expires: number;
}

export class CacheStore {
  readonly #caches = new Map<string, Cache>();
  readonly #dice: Dice;
  readonly #backend: Backend;

  constructor(seed: string, backend: Backend) {
    this.#backend = backend;
    this.#dice = new Dice(`cachedContents ${seed}`);
  }

  add(cache: Omit<Cache, 'id'>): Cache {
    const stored = { ...cache, id: this.#dice.id(12) };
    this.#caches.set(stored.id, stored);
    return stored;
  }

  /** Throws what the API answers for a cache that is unknown, deleted or expired. */
  get(id: string, now: number): Cache {
    const cache = this.#caches.get(id);
    if (!cache || cache.expires <= now) throw cacheNotFound(id, this.#backend);
    return cache;
  }

  remove(id: string, now: number): void {
    this.get(id, now);
    this.#caches.delete(id);
  }

  /** One page of those that live, oldest first. */
  list(now: number, pageSize: number, from: number): { caches: Cache[]; next: number | undefined } {
    const live = [...this.#caches.values()].filter(({ expires }) => expires > now);
    const end = from + pageSize;
    return { caches: live.slice(from, end), next: end < live.length ? end : undefined };
  }
}

/** As the API shows it: the contents are never returned, nor is `ttl`. */
export function showCache(cache: Cache): JsonObject {
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
