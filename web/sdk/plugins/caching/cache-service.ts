// Creates, extends and deletes CachedContents. No call is retried or waits long: a failed cache costs money, but
// must never delay or fail a send.
import { Watch } from '../../base/abort.js';
import { joinBytes } from '../../base/bytes.js';
import type { PluginContext } from '../plugin.js';
import { CacheError } from '../../base/errors.js';
import type { CallOptions } from '../../client/http.js';
import type { CacheEntry } from './registry.js';

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
const reliableUntil = (now: number, ttl: number): number => now + (ttl - marginSeconds) * 1000;

const refuseRetry: NonNullable<CallOptions['onRetry']> = (error) => {
  throw error;
};

// Turns `{…}` into `{"ttl":"300s",…}`; the other bytes do not change.
function withTtl(body: Uint8Array, ttl: number): Uint8Array {
  const head = new TextEncoder().encode(`{"ttl":"${ttl}s",`);
  return joinBytes([head, body.subarray(1)]);
}

/**
 * Creates a cache that lives `ttl` seconds.
 *
 * @throws GeminiError if the API refuses, CacheError `cache.slow` if it takes longer than `timeoutMs`,
 *   CacheError `cache.unnamed` if the response has no name
 */
export async function createCache(
  { client, model, signal, now }: PluginContext,
  draft: CacheDraft,
  ttl: number,
  timeoutMs: number,
): Promise<CacheEntry> {
  const timeoutError = () =>
    new CacheError('cache.slow', `The cache was not created within ${timeoutMs} ms`);
  const watch = new Watch(signal, timeoutMs, timeoutError);
  try {
    const requestedAt = Date.parse(now());
    const options = { signal: watch.signal, onRetry: refuseRetry };
    const created = Object(
      await watch.wait(client.caches.create(withTtl(draft.body, ttl), options)),
    );
    const counted = Number(Object(created.usageMetadata).totalTokenCount);
    const tokens = Number.isFinite(counted) ? counted : 0;
    if (typeof created.name !== 'string' || created.name === '') {
      throw new CacheError('cache.unnamed', 'The API created a cache but returned no name');
    }
    const { turns, key } = draft;
    return {
      name: created.name,
      model,
      turns,
      key,
      tokens,
      expires: reliableUntil(requestedAt, ttl),
    };
  } finally {
    watch.release();
  }
}

/** Extends a cache to live `ttl` seconds from now. */
export async function extendCache(
  { client, signal, now }: PluginContext,
  entry: CacheEntry,
  ttl: number,
): Promise<CacheEntry> {
  const requestedAt = Date.parse(now());
  await client.caches.update(entry.name, { ttl: `${ttl}s` }, { signal, onRetry: refuseRetry });
  return { ...entry, expires: reliableUntil(requestedAt, ttl) };
}

/** Deletes a cache. */
export async function deleteCache({ client, signal }: PluginContext, name: string): Promise<void> {
  await client.caches.delete(name, { signal, onRetry: refuseRetry });
}
