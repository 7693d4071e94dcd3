// Remembers the explicit caches that a thread created, so that they can be deleted with it.
import type { ConversationEvent } from '../../index.js';
import type { SqlDatabase } from '../sql.js';

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
