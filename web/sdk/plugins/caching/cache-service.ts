// Why this file exists: the calls about one conversation's caches. None of them may fail a send, wait long,
// or be repeated: a refused cache costs money, never an answer.
import { Watch } from '../../base/abort.js';
import { joinBytes } from '../../base/bytes.js';
import type { PluginContext } from '../plugin.js';
import { CacheError } from '../../base/errors.js';
import type { CallOptions } from '../../client/http.js';
import type { CacheEntry } from './registry.js';

// Clocks differ, and a request takes its time to arrive.
const marginSeconds = 10;

/** The Content of `cachedContents.create`, before it is made. */
export interface CacheDraft {
  body: Uint8Array;
  turns: number;
  key: string;
}

/** Until when a cache can be counted on that was given `ttl` seconds at `now`, milliseconds since 1970. */
const reliableUntil = (now: number, ttl: number): number => now + (ttl - marginSeconds) * 1000;

const once: NonNullable<CallOptions['onRetry']> = (error) => {
  throw error;
};

// `{…}` as `{"ttl":"300s",…}`; the rest of the bytes stays as it is.
function withTtl(body: Uint8Array, ttl: number): Uint8Array {
  const head = new TextEncoder().encode(`{"ttl":"${ttl}s",`);
  return joinBytes([head, body.subarray(1)]);
}

/**
 * Makes a cache that lives `ttl` seconds.
 *
 * @throws GeminiError for a refusal, CacheError when it takes longer than `timeoutMs`
 */
export async function createCache(
  { client, model, signal, now }: PluginContext,
  draft: CacheDraft,
  ttl: number,
  timeoutMs: number,
): Promise<CacheEntry> {
  const slow = () => new CacheError('cache.slow', `No cache within ${timeoutMs} ms`);
  const watch = new Watch(signal, timeoutMs, slow);
  try {
    const asked = Date.parse(now());
    const options = { signal: watch.signal, onRetry: once };
    const made = Object(await watch.wait(client.caches.create(withTtl(draft.body, ttl), options)));
    const tokens = Number(Object(made.usageMetadata).totalTokenCount ?? 0);
    if (typeof made.name !== 'string' || made.name === '') {
      throw new CacheError('cache.unnamed', 'The API made a cache and told no name');
    }
    const { turns, key } = draft;
    return { name: made.name, model, turns, key, tokens, expires: reliableUntil(asked, ttl) };
  } finally {
    watch.release();
  }
}

/** Lets a cache live `ttl` seconds from now. */
export async function extendCache(
  { client, signal, now }: PluginContext,
  entry: CacheEntry,
  ttl: number,
): Promise<CacheEntry> {
  const asked = Date.parse(now());
  await client.caches.update(entry.name, { ttl: `${ttl}s` }, { signal, onRetry: once });
  return { ...entry, expires: reliableUntil(asked, ttl) };
}

/** Ends a cache. One that is gone already is as good. */
export async function deleteCache({ client, signal }: PluginContext, name: string): Promise<void> {
  await client.caches.delete(name, { signal, onRetry: once });
}
