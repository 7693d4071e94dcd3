// Why this file exists: a registry holds texts and may fail; here its answers are values or nothing.
import type { CacheEntry, CacheRegistry } from './registry.js';
import type { CachePlan } from '../../types/cache-plan.js';

/** What a session goes on from. */
export interface SessionNote {
  entry: CacheEntry | undefined;
  state: CachePlan['state'] | undefined;
}

const day = 86_400;

/** The notes that caching keeps in a registry. */
export class CacheIndex {
  readonly #registry: CacheRegistry;
  readonly #session: string | undefined;

  constructor(registry: CacheRegistry, session: string | undefined) {
    this.#registry = registry;
    this.#session = session;
  }

  entry(key: string): Promise<CacheEntry | undefined> {
    return this.#read(`entry/${key}`);
  }

  async saveEntry(entry: CacheEntry, ttlSeconds: number): Promise<void> {
    await this.#write(`entry/${entry.key}`, entry, ttlSeconds);
  }

  async forgetEntry({ key }: CacheEntry): Promise<void> {
    await quietly(() => this.#registry.delete(`entry/${key}`));
  }

  /** The minimum that the API named when it refused a cache of this model. */
  minimum(model: string): Promise<number | undefined> {
    return this.#read(`minimum/${model}`);
  }

  async saveMinimum(model: string, tokens: number): Promise<void> {
    await this.#write(`minimum/${model}`, tokens, 30 * day);
  }

  async session(model: string): Promise<SessionNote | undefined> {
    return this.#session === undefined ? undefined : this.#read(this.#sessionKey(model));
  }

  async saveSession(model: string, note: SessionNote): Promise<void> {
    if (this.#session !== undefined) await this.#write(this.#sessionKey(model), note, day);
  }

  #sessionKey(model: string): string {
    return `session/${this.#session}/${model}`;
  }

  async #read<Value>(key: string): Promise<Value | undefined> {
    const text = await quietly(() => this.#registry.get(key));
    return text === undefined ? undefined : quietly(() => JSON.parse(text));
  }

  async #write(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    await quietly(() => this.#registry.put(key, JSON.stringify(value), ttlSeconds));
  }
}

async function quietly<Value>(work: () => Value | Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
