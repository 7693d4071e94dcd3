// Creates the tables of a thread.
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
