// Registries of caches, which outlive a conversation object: another page load or another Worker finds existing
// caches by their fingerprint.

import type { CacheRegistry } from '../sdk/chat/plugin-options.js';

/** Keeps cache records in memory, for one process. Expired ones are dropped: a server may run for months. */
export class MemoryCacheRegistry implements CacheRegistry {
  readonly #records = new Map<string, { value: string; until: number }>();
  /** The number of records from which on expired ones are looked for. */
  #full = 100;

  get(key: string): string | undefined {
    return this.#records.get(key)?.value;
  }

  put(key: string, value: string, ttlSeconds: number): void {
    this.#records.set(key, { value, until: Date.now() + ttlSeconds * 1000 });
    if (this.#records.size < this.#full) return;
    const now = Date.now();
    for (const [old, { until }] of this.#records) if (until < now) this.#records.delete(old);
    // So that a record is looked at about once, however many live.
    this.#full = 2 * this.#records.size + 100;
  }

  delete(key: string): void {
    this.#records.delete(key);
  }
}

/** The methods of Cloudflare's `KVNamespace` that are used. */
export interface KvNamespace {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  delete(key: string): Promise<void>;
}

// The shortest expirationTtl that Workers KV accepts, in seconds.
const minKvTtl = 60;

/**
 * Keeps cache records in Workers KV, shared by all Workers of an account. KV is eventually consistent, so a
 * cache may be created twice.
 */
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
    const expirationTtl = Math.max(minKvTtl, Math.ceil(ttlSeconds));
    return this.#kv.put(this.#prefix + key, value, { expirationTtl });
  }

  delete(key: string): Promise<void> {
    return this.#kv.delete(this.#prefix + key);
  }
}

/** The methods of a Durable Object's `storage` that are used. */
export interface DurableStorage {
  get<Value>(key: string): Promise<Value | undefined>;
  put<Value>(key: string, value: Value): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** Keeps cache records in the storage of the Durable Object that owns the thread; strongly consistent. */
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
