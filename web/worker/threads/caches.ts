// Remembers the caches of a thread, and deletes them with it.
import { GeminiError, type ConversationEvent } from '../../index.js';
import type { SqlDatabase } from '../sql.js';
import { clientOf, type Env } from '../env.js';

/** The caches of one thread. The tables must exist. */
export class CacheTable {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** The names of the caches that may exist. */
  get names(): string[] {
    const rows = this.#database.sql.exec<{ name: string }>('SELECT name FROM caches');
    return rows.toArray().map(({ name }) => name);
  }

  /** Takes note of an event about a cache. */
  see(event: Extract<ConversationEvent, { type: 'cache' }>): void {
    if (event.action === 'created') {
      this.#database.sql.exec('INSERT OR REPLACE INTO caches (name) VALUES (?)', event.name);
    } else if (event.action === 'deleted') {
      this.forget(event.name);
    }
  }

  /** Takes note that a cache does not exist any more. */
  forget(name: string): void {
    this.#database.sql.exec('DELETE FROM caches WHERE name = ?', name);
  }
}

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
