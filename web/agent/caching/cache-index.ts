// Reads and writes typed records in a cache registry. A failing registry or a damaged record reads as undefined,
// and failed writes are ignored.
import { isObject } from '../../sdk/internal/json.js';
import { isCount } from '../../sdk/internal/options.js';
import type { CacheEntry, CacheRegistry } from '../../sdk/chat/stores/cache-registry.js';
import type { CachePlan } from '../../sdk/types/manifest.js';
import type { PluginNotes } from '../../sdk/chat/plugin.js';
import type { BackoffState } from './create-backoff.js';
import type { CachingOptions } from '../../sdk/chat/plugin-options.js';

/** The usage of the last answer, for the planner. */
export type LastUsage = { promptTokens: number; cachedTokens: number; explicitTokens: number };

/** The state with which a session resumes. */
export interface SessionRecord {
  entry?: CacheEntry | undefined;
  state?: CachePlan['state'] | undefined;
  last?: LastUsage | undefined;
  /** Counted tokens divided by estimated ones. */
  scale?: number | undefined;
  backoff?: BackoffState | undefined;
}

const day = 86_400;
const noteName = 'caching';

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

const isNumbers = <Record>(value: unknown): value is Record =>
  isObject(value) && Object.values(value).every((number) => Number.isFinite(number));

/** Where the caches of one session are recorded. */
export interface SessionPlace {
  registry: CacheRegistry;
  id: string;
}

/** Keeps records of one conversation in its notes. Others do not see them, so none is found by its fingerprint. */
export class NotesRegistry implements CacheRegistry {
  readonly #notes: PluginNotes;

  constructor(notes: PluginNotes) {
    this.#notes = notes;
  }

  get(key: string): string | undefined {
    const value = Object(this.#notes.get(noteName))[key];
    return value === undefined ? undefined : JSON.stringify(value);
  }

  put(key: string, value: string): void {
    if (key.startsWith('entry/')) return;
    this.#notes.set(noteName, { ...Object(this.#notes.get(noteName)), [key]: JSON.parse(value) });
  }

  delete(): void {}
}

/** The records that the caching plugin keeps in a registry. */
export class CacheIndex {
  readonly #registry: CacheRegistry;
  readonly #session: SessionPlace | undefined;

  constructor(registry: CacheRegistry, session: SessionPlace | undefined) {
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
    const { registry, id } = this.#session;
    const record = await readFrom(registry, sessionKey(id, model));
    if (!isObject(record)) return undefined;
    const { entry, state, last, scale, backoff } = record;
    return {
      ...(isEntry(entry) && { entry }),
      ...(isNumbers<CachePlan['state']>(state) && { state }),
      ...(isNumbers<LastUsage>(last) && { last }),
      ...(typeof scale === 'number' && { scale }),
      ...(isNumbers<BackoffState>(backoff) && { backoff }),
    };
  }

  async saveSession(model: string, record: SessionRecord): Promise<void> {
    if (this.#session === undefined) return;
    const { registry, id } = this.#session;
    const text = JSON.stringify(record);
    await ignoringErrors(() => registry.put(sessionKey(id, model), text, day));
  }

  #read(key: string): Promise<unknown> {
    return readFrom(this.#registry, key);
  }

  async #write(key: string, value: unknown, ttlSeconds: number): Promise<void> {
    await ignoringErrors(() => this.#registry.put(key, JSON.stringify(value), ttlSeconds));
  }
}

const sessionKey = (id: string, model: string): string => `session/${id}/${model}`;

async function readFrom(registry: CacheRegistry, key: string): Promise<unknown> {
  const text = await ignoringErrors(() => registry.get(key));
  return text === undefined ? undefined : ignoringErrors((): unknown => JSON.parse(text));
}

/**
 * Returns where caches are recorded: in the registry, in the notes of a stored conversation, or nowhere. What belongs to
 * the conversation alone is in its store, unless the caller names it in the registry.
 */
export function cacheIndexOf(
  { registry, session }: CachingOptions,
  notes: PluginNotes,
): CacheIndex | undefined {
  const own = notes.isStored ? new NotesRegistry(notes) : undefined;
  const shared = registry ?? own;
  if (!shared) return undefined;
  if (registry && session !== undefined) return new CacheIndex(registry, { registry, id: session });
  return new CacheIndex(shared, own && { registry: own, id: '' });
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
