// Stores texts that may be longer than one value of SQLite: messages, arguments and results of calls, declarations.
import { joinBytes, decodeUtf8 } from '../../sdk/internal/bytes.js';
import { piecesOf } from './pieces.js';
import type { SqlDatabase } from '../sql.js';

/** Texts by name. */
export class TextTable {
  readonly #database: SqlDatabase;

  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  /** Stores a text under a name, in the place of another one. */
  put(name: string, text: string): void {
    const { sql } = this.#database;
    const insert = 'INSERT INTO texts (name, piece, bytes) VALUES (?, ?, ?)';
    this.#database.transactionSync(() => {
      this.delete(name);
      for (const [piece, bytes] of piecesOf(new TextEncoder().encode(text)).entries())
        sql.exec(insert, name, piece, bytes);
    });
  }

  /** Returns the text under a name. */
  get(name: string): string | undefined {
    const query = 'SELECT bytes FROM texts WHERE name = ? ORDER BY piece';
    const pieces = this.#database.sql.exec<{ bytes: ArrayBuffer }>(query, name).toArray();
    if (pieces.length === 0) return undefined;
    return decodeUtf8(joinBytes(pieces.map(({ bytes }) => new Uint8Array(bytes))));
  }

  delete(name: string): void {
    this.#database.sql.exec('DELETE FROM texts WHERE name = ?', name);
  }
}
