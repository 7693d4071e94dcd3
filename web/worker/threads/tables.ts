// Creates the tables of a thread's object, and reads and writes its one record.
import type { SqlDatabase } from '../sql.js';

// Primary keys without a rowid: Cloudflare bills each index that a row updates as another row written. Texts and bytes
// longer than one value may be (2 MB) are in several pieces.
const tables = `
CREATE TABLE IF NOT EXISTS thread (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turn_pieces (
  line INTEGER, piece INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (line, piece)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stored_pieces (
  name TEXT, piece INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (name, piece)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
  send INTEGER, attempt INTEGER, last INTEGER, piece INTEGER, first INTEGER NOT NULL, ends INTEGER NOT NULL,
  lines BLOB NOT NULL, PRIMARY KEY (send, attempt, last, piece)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sends (
  number INTEGER PRIMARY KEY, key TEXT, body_hash TEXT NOT NULL, state TEXT NOT NULL, attempt INTEGER NOT NULL,
  first_turn INTEGER, is_accepted INTEGER NOT NULL, end_code TEXT, left_ms INTEGER NOT NULL, deadline_at INTEGER,
  created_at INTEGER NOT NULL, ended_at INTEGER
);
CREATE TABLE IF NOT EXISTS calls (
  call_id TEXT PRIMARY KEY, send INTEGER NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, digest TEXT,
  answered_after TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS texts (
  name TEXT, piece INTEGER, bytes BLOB NOT NULL, PRIMARY KEY (name, piece)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS caches (name TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** Creates the tables unless they exist. Call it when a thread is created. */
export function createTables({ sql }: SqlDatabase): void {
  sql.exec(tables);
}

/** Returns whether the tables exist. Asking writes nothing, so an object of a guessed id stays empty. */
export function hasTables({ sql }: SqlDatabase): boolean {
  const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'thread'";
  return sql.exec(query).toArray().length > 0;
}

/** What a thread is, from its creation on. */
interface ThreadIdentity {
  id: string;
  caller: string;
  /** The name of its configuration. */
  configuration: string;
}

type Key = keyof ThreadIdentity | 'created_at' | 'used_at' | 'deleting' | 'body_hash';

// When a use was stored less than this part of the time to expiry ago, it is not stored again.
const usePart = 20;

/** The record of one thread. */
export class ThreadRecord {
  readonly #database: SqlDatabase;
  #usedAt = 0;
  #identity: ThreadIdentity | undefined;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Whether the thread exists and is not being deleted. */
  get exists(): boolean {
    return hasTables(this.#database) && this.#get('id') !== undefined && !this.isDeleting;
  }

  /** Whether the deletion of the thread has begun. */
  get isDeleting(): boolean {
    return hasTables(this.#database) && this.#get('deleting') !== undefined;
  }

  /** How often the deletion has begun. */
  get deletions(): number {
    return Number(this.#get('deleting') ?? 0);
  }

  get identity(): ThreadIdentity {
    return (this.#identity ??= this.#readIdentity());
  }

  #readIdentity(): ThreadIdentity {
    const [id = '', caller = '', configuration = ''] = [
      this.#get('id'),
      this.#get('caller'),
      this.#get('configuration'),
    ];
    return { id, caller, configuration };
  }

  get createdAt(): number {
    return Number(this.#get('created_at'));
  }

  /** When the thread was used last, to a twentieth of the time to its expiry. */
  get usedAt(): number {
    return Number(this.#get('used_at'));
  }

  /** Creates the tables and the record. */
  create(identity: ThreadIdentity, now: number): void {
    this.#database.transactionSync(() => {
      createTables(this.#database);
      for (const [key, value] of Object.entries(identity)) this.#set(key as Key, value);
      this.#set('created_at', String(now));
      this.#set('used_at', String(now));
    });
  }

  /** The digest of the body that created the thread, if its request had a key and the thread is whole. */
  get bodyHash(): string | undefined {
    return this.#get('body_hash');
  }

  /** Takes note that all of a thread is stored whose request had a key. */
  complete(bodyHash: string): void {
    this.#set('body_hash', bodyHash);
  }

  /** Takes note of a use. */
  touch(now: number, expiresAfterMs: number): void {
    this.#usedAt ||= this.usedAt;
    if (now - this.#usedAt < expiresAfterMs / usePart) return;
    this.#usedAt = now;
    this.#set('used_at', String(now));
  }

  /** Begins the deletion, which another process continues if this one ends. */
  beginDeletion(): void {
    this.#set('deleting', String(this.deletions + 1));
  }

  #get(key: Key): string | undefined {
    const query = 'SELECT value FROM thread WHERE key = ?';
    const [row] = this.#database.sql.exec<{ value: string }>(query, key).toArray();
    return row?.value;
  }

  #set(key: Key, value: string): void {
    const upsert = 'INSERT OR REPLACE INTO thread (key, value) VALUES (?, ?)';
    this.#database.sql.exec(upsert, key, value);
  }
}
