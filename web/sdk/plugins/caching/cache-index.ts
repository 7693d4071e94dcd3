// Reads and writes typed records in a cache registry. A failing registry or a damaged record reads as undefined,
// and failed writes are ignored.
import type { CacheEntry, CacheRegistry } from './registry.js';
import type { CachePlan } from '../../types/cache-plan.js';

/** The state with which a session resumes. */
export interface SessionRecord {
  entry: CacheEntry | undefined;
  state: CachePlan['state'] | undefined;
}

const day = 86_400;

/** The records that the caching plugin keeps in a registry. */
export class CacheIndex {
  readonly #registry: CacheRegistry;
  readonly #session: string | undefined;

  constructor(registry: CacheRegistry, session: string | undefined) {
    this.#registry = registry;
    this.#session = session;
  }

  /** Returns the cache with this fingerprint. */
  entry(key: string): Promise<CacheEntry | undefined> {
    return this.#read(`entry/${key}`);
  }

  async saveEntry(entry: CacheEntry, ttlSeconds: number): Promise<void> {
    await this.#write(`entry/${entry.key}`, entry, ttlSeconds);
  }

  async deleteEntry({ key }: CacheEntry): Promise<void> {
    await ignoringErrors(() => this.#registry.delete(`entry/${key}`));
  }

  /** Returns the minimum number of tokens that the API named when it refused a cache for this model. */
  minimum(model: string): Promise<number | undefined> {
    return this.#read(`minimum/${model}`);
  }

  async saveMinimum(model: string, tokens: number): Promise<void> {
    await this.#write(`minimum/${model}`, tokens, 30 * day);
  }

  async session(model: string): Promise<SessionRecord | undefined> {
    return this.#session === undefined ? undefined : this.#read(this.#sessionKey(model));
  }

  async saveSession(model: string, record: SessionRecord): Promise<void> {
    if (this.#session !== undefined) await this.#write(this.#sessionKey(model), record, day);
  }

  #sessionKey(model: string): string {
    return `session/${this.#session}/${model}`;
  }

  async #read<Value>(key: string): Promise<Value | undefined> {
    const text = await ignoringErrors(() => this.#registry.get(key));
    return text === undefined ? undefined : ignoringErrors(() => JSON.parse(text));
  }

  async #write(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    await ignoringErrors(() => this.#registry.put(key, JSON.stringify(value), ttlSeconds));
  }
}

async function ignoringErrors<Value>(
  work: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
