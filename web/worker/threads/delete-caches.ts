// Deletes the explicit caches of a thread that is being deleted.
import { GeminiError } from '../../index.js';
import { clientOf, type Env } from '../env.js';
import type { CacheTable } from './cache-table.js';

const timeoutMs = 10_000;

/** Deletes the caches that the thread created. Returns whether none is left; a failure is logged. */
export async function deleteCaches(caches: CacheTable, env: Env): Promise<boolean> {
  const results = await Promise.all(caches.names.map((name) => deleteCache(name, caches, env)));
  return results.every(Boolean);
}

async function deleteCache(name: string, caches: CacheTable, env: Env): Promise<boolean> {
  try {
    await clientOf(env).caches.delete(name, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    if (!isGone(error)) {
      console.error(`A cache could not be deleted: ${String(error)}`);
      return false;
    }
  }
  caches.forget(name);
  return true;
}

// It has expired, or belongs to nobody.
const isGone = (error: unknown): boolean =>
  error instanceof GeminiError && (error.status === 404 || error.status === 403);
