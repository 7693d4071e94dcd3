// Creates, extends and deletes CachedContents. No call is retried or waits long: a failed cache costs money, but
// must never delay or fail a send.
import { Watch } from '../../sdk/internal/lifetime.js';
import { joinBytes } from '../../sdk/internal/bytes.js';
import type { PluginContext } from '../../sdk/chat/plugin.js';
import { CacheError } from '../../sdk/internal/errors.js';
import type { CallOptions } from '../../sdk/client/http.js';
import type { CacheEntry } from '../../sdk/chat/stores/cache-registry.js';

// Allows for clock differences and network latency.
const marginSeconds = 10;

/** The body of `cachedContents.create`, and what it covers. */
export interface CacheDraft {
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
