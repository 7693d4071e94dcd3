// Reads and writes typed records in a cache registry. A failing registry or a damaged record reads as undefined,
// and failed writes are ignored.
import { isObject } from '../../base/json-object.js';
import { isCount } from '../../base/options.js';
import type { CacheEntry, CacheRegistry } from './registry.js';
import type { CachePlan } from '../../types/cache-plan.js';

/** The state with which a session resumes. */
export interface SessionRecord {
  entry: CacheEntry | undefined;
  state: CachePlan['state'] | undefined;
}

const day = 86_400;

// As the Gemini API and Vertex AI name them.
const cacheName = /^(projects\/[\w.:-]+\/locations\/[\w-]+\/)?cachedContents\/[\w-]+$/;

// Returns whether a record of the registry, which others may have written, is an entry.
function isEntry(value: unknown): value is CacheEntry {
  if (!isObject(value)) return false;
  const { name, model, key, tokens, turns, expires } = value;
  return (
    [name, model, key].every((text) => typeof text === 'string') &&
    cacheName.test(String(name)) &&
    [tokens, turns].every(isCount) &&
    Number.isFinite(expires)
  );
}

const isState = (value: unknown): value is CachePlan['state'] =>
  isObject(value) && Object.values(value).every((number) => Number.isFinite(number));

/** The records that the caching plugin keeps in a registry. */
export class CacheIndex {
  readonly #registry: CacheRegistry;
  readonly #session: string | undefined;

  constructor(registry: CacheRegistry, session: string | undefined) {
    this.#registry = registry;
    this.#session = session;
  }

  /** Returns the cache with this fingerprint. */
  async entry(key: string): Promise<CacheEntry | undefined> {
    const entry = await this.#read(`entry/${key}`);
    return isEntry(entry) ? entry : undefined;
  }

  async saveEntry(entry: CacheEntry, ttlSeconds: number): Promise<void> {
    await this.#write(`entry/${entry.key}`, entry, ttlSeconds);
  }

  async deleteEntry({ key }: CacheEntry): Promise<void> {
    await ignoringErrors(() => this.#registry.delete(`entry/${key}`));
  }

  /** Returns the minimum number of tokens that the API named when it refused a cache for this model. */
  async minimum(model: string): Promise<number | undefined> {
    const minimum = await this.#read(`minimum/${model}`);
    return isCount(minimum) ? minimum : undefined;
  }

  async saveMinimum(model: string, tokens: number): Promise<void> {
    await this.#write(`minimum/${model}`, tokens, 30 * day);
  }

  async session(model: string): Promise<SessionRecord | undefined> {
    if (this.#session === undefined) return undefined;
    const record = await this.#read(this.#sessionKey(model));
    if (!isObject(record)) return undefined;
    const { entry, state } = record;
    return {
      entry: isEntry(entry) ? entry : undefined,
      state: isState(state) ? state : undefined,
    };
  }

  async saveSession(model: string, record: SessionRecord): Promise<void> {
    if (this.#session !== undefined) await this.#write(this.#sessionKey(model), record, day);
  }

  #sessionKey(model: string): string {
    return `session/${this.#session}/${model}`;
  }

  async #read(key: string): Promise<unknown> {
    const text = await ignoringErrors(() => this.#registry.get(key));
    return text === undefined ? undefined : ignoringErrors((): unknown => JSON.parse(text));
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
