// Why this file exists: what is known of live caches outlives a conversation object: another page load, or
// another Worker, finds by its fingerprint what was paid for already.

/** A CachedContent as its maker remembers it. */
export interface CacheEntry {
  /** `cachedContents/…` */
  name: string;
  model: string;
  /** Turns of the thread that it holds. */
  turns: number;
  /** Fingerprint of all it holds. */
  key: string;
  /** As the API counted them. */
  tokens: number;
  /** Milliseconds since 1970 by the conversation's clock: until then it can be counted on. */
  expires: number;
}

/**
 * Where conversations keep small JSON texts about caches. A lost text costs a cache, nothing else, so
 * every failure of a registry is taken for "not there".
 */
export interface CacheRegistry {
  get(key: string): Promise<string | undefined> | string | undefined;
  /** Nothing needs to be kept longer than `ttlSeconds`. */
  put(key: string, value: string, ttlSeconds: number): Promise<void> | void;
  delete(key: string): Promise<void> | void;
}

/** For one process. */
export class MemoryCacheRegistry implements CacheRegistry {
  readonly #values = new Map<string, string>();

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  put(key: string, value: string): void {
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}

/** What is used of Cloudflare's `KVNamespace`. */
export interface KvNamespace {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(key: string): Promise<void>;
}

// KV takes no shorter one.
const shortestKvTtl = 60;

/** In Workers KV, shared by all Workers of an account. It may lag: a cache is then made twice. */
export class KvCacheRegistry implements CacheRegistry {
  readonly #kv: KvNamespace;
  readonly #prefix: string;

  constructor(kv: KvNamespace, prefix = 'prompt-strata/') {
    this.#kv = kv;
    this.#prefix = prefix;
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#kv.get(this.#prefix + key)) ?? undefined;
  }

  put(key: string, value: string, ttlSeconds: number): Promise<void> {
    const expirationTtl = Math.max(shortestKvTtl, Math.ceil(ttlSeconds));
    return this.#kv.put(this.#prefix + key, value, { expirationTtl });
  }

  delete(key: string): Promise<void> {
    return this.#kv.delete(this.#prefix + key);
  }
}

/** What is used of a Durable Object's `storage`. */
export interface DurableStorage {
  get<Value>(key: string): Promise<Value | undefined>;
  put<Value>(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** In the storage of the Durable Object that owns the thread: always up to date. */
export class DurableCacheRegistry implements CacheRegistry {
  readonly #storage: DurableStorage;
  readonly #prefix: string;

  constructor(storage: DurableStorage, prefix = 'cache/') {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  get(key: string): Promise<string | undefined> {
    return this.#storage.get<string>(this.#prefix + key);
  }

  put(key: string, value: string): Promise<void> {
    return this.#storage.put(this.#prefix + key, value);
  }

  async delete(key: string): Promise<void> {
    await this.#storage.delete(this.#prefix + key);
  }
}
