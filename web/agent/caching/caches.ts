// Creates, extends and deletes CachedContents, and records them in a registry. No call is retried or waits long: a
// failed cache costs money, but must never delay or fail a send. A failing registry or a damaged record reads as
// undefined, and failed writes are ignored.
import { Watch } from '../../sdk/internal/lifetime.js';
import { isObject } from '../../sdk/internal/json.js';
import type { CachePlan } from '../../sdk/types/manifest.js';
import { joinBytes } from '../../sdk/internal/bytes.js';
import { CacheError, GeminiError } from '../../sdk/internal/errors.js';
import { isCount } from '../../sdk/internal/options.js';
import type { CallOptions } from '../../sdk/client/http.js';
import type { CachingOptions, CacheEntry, CacheRegistry } from '../../sdk/chat/plugin-options.js';
import type { PluginContext, PluginNotes } from '../../sdk/chat/plugin.js';

// Allows for clock differences and network latency.
const marginSeconds = 10;

/** The body of `cachedContents.create`, and what it covers. */
interface CacheDraft {
  body: Uint8Array;
  /** Turns of the thread that the cache holds. */
  turns: number;
  /** Fingerprint of everything that the cache holds. */
  key: string;
}

/** Returns the time until which a cache with `ttl` seconds from `now` is reliable; milliseconds since 1970. */
export const reliableUntil = (now: number, ttl: number): number =>
  now + (ttl - marginSeconds) * 1000;

const refuseRetry: NonNullable<CallOptions['onRetry']> = (error) => {
  throw error;
};

// Turns `{…}` into `{"ttl":"300s",…}`; the other bytes do not change.
function withTtl(body: Uint8Array, ttl: number): Uint8Array {
  const head = new TextEncoder().encode(`{"ttl":"${ttl}s",`);
  return joinBytes([head, body.subarray(1)]);
}

/** Where a call for a cache goes, and how long a send waits for it. */
export interface CacheCall extends Pick<PluginContext, 'client' | 'signal'> {
  timeoutMs: number;
}

// Ends a call that takes too long, or whose send is aborted.
function within<Value>(
  { signal, timeoutMs }: CacheCall,
  call: (options: CallOptions) => Promise<Value>,
): Promise<Value> {
  const timeoutError = () =>
    new CacheError(
      'cache.slow',
      `The API did not answer a call for a cache within ${timeoutMs} ms`,
    );
  const watch = new Watch(signal, timeoutMs, timeoutError);
  return watch.waitLast(call({ signal: watch.signal, onRetry: refuseRetry }));
}

/**
 * Creates a cache of this model that lives `ttl` seconds from `at`, in milliseconds since 1970.
 *
 * @throws GeminiError if the API refuses, CacheError `cache.slow` if it takes too long, CacheError `cache.unnamed` if the
 *   response has no name
 */
export async function createCache(
  call: CacheCall,
  { body, turns, key }: CacheDraft,
  { model, ttl, at }: { model: string; ttl: number; at: number },
): Promise<CacheEntry> {
  const { caches } = call.client;
  const answer = await within(call, (options) => caches.create(withTtl(body, ttl), options));
  const { name, usageMetadata } = Object(answer);
  if (typeof name !== 'string' || name === '') {
    throw new CacheError('cache.unnamed', 'The API created a cache but returned no name');
  }
  const counted = Number(Object(usageMetadata).totalTokenCount);
  const tokens = Number.isFinite(counted) ? counted : 0;
  return { name, model, turns, key, tokens, expires: reliableUntil(at, ttl) };
}

/** Extends a cache to live `ttl` seconds from `at`. @throws as `createCache` */
export async function extendCache(
  call: CacheCall,
  entry: CacheEntry,
  { ttl, at }: { ttl: number; at: number },
): Promise<CacheEntry> {
  const { caches } = call.client;
  await within(call, (options) => caches.update(entry.name, { ttl: `${ttl}s` }, options));
  return { ...entry, expires: reliableUntil(at, ttl) };
}

/** Deletes a cache. @throws as `createCache` */
export async function deleteCache(call: CacheCall, name: string): Promise<void> {
  await within(call, (options) => call.client.caches.delete(name, options));
}

const initialDelay = 60;
const maxDelay = 3600;

// In the words of Gemini and of Vertex AI.
const namedMinimum = /(?:min_total_token_count=|minimum token count to start caching is )(\d+)/i;

/** Seconds since 1970. */
type Seconds = number;

// JSON has no infinity.
const never: Seconds = Number.MAX_SAFE_INTEGER;

/** How long no cache is requested. */
interface BackoffState {
  delay: Seconds;
  until: Seconds;
}

/** Exponential backoff for `cachedContents.create`. */
export class CreateBackoff {
  #delay = initialDelay;
  #until: Seconds = 0;

  /** What `restore` takes. */
  get state(): BackoffState {
    return { delay: this.#delay, until: this.#until };
  }

  restore({ delay, until }: BackoffState): void {
    [this.#delay, this.#until] = [delay, until];
  }

  /** Returns whether another cache may be requested. */
  canAttempt(now: Seconds): boolean {
    return now >= this.#until;
  }

  /** Resets the delay after a cache was created. */
  reset(): void {
    this.#delay = initialDelay;
  }

  /**
   * Records a refusal. Returns the minimum number of tokens if the refusal names one that is greater than `known`: then no
   * delay is needed, because no smaller cache is requested again.
   */
  recordRefusal(error: unknown, now: Seconds, known = 0): number | undefined {
    const message = error instanceof Error ? error.message : '';
    const minimum = Number(namedMinimum.exec(message)?.[1]);
    if (minimum > known) return minimum;
    const retryAfter = error instanceof GeminiError ? (error.retryAfterMs ?? 0) / 1000 : 0;
    // The free tier has no cache storage: the limit is 0, or a daily quota is used up.
    const final = /limit[:=] ?0(?![.\d])|FreeTier|PerDay/i.test(message);
    this.#until = final ? never : now + Math.max(this.#delay, retryAfter);
    this.#delay = Math.min(maxDelay, this.#delay * 2);
    return undefined;
  }
}

/** The usage of the last answer, for the planner. */
export type LastUsage = { promptTokens: number; cachedTokens: number; explicitTokens: number };

/** The state with which a session resumes. */
interface SessionRecord {
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
interface SessionPlace {
  registry: CacheRegistry;
  id: string;
}

/** Keeps records of one conversation in its notes. Others do not see them, so none is found by its fingerprint. */
class NotesRegistry implements CacheRegistry {
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
