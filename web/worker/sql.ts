// Runs SQL in the storage of a Durable Object, and keeps texts that are longer than a row may be.
import { joinBytes, decodeUtf8 } from '../sdk/internal/bytes.js';

/** A value that SQLite returns. Numbers are exact up to 2^53. */
export type SqlValue = ArrayBuffer | string | number | null;

/** The rows of a statement. They are read while you iterate. */
interface SqlRows<Row> extends Iterable<Row> {
  toArray(): Row[];
}

/** `ctx.storage.sql`. */
interface SqlStorage {
  /** Runs one statement, or several if none but the last has parameters. */
  exec<Row extends Record<string, SqlValue> = Record<string, SqlValue>>(
    query: string,
    ...parameters: (SqlValue | Uint8Array)[]
  ): SqlRows<Row>;
}

/** The methods of `ctx.storage` that the Worker's objects use. */
export interface SqlDatabase {
  readonly sql: SqlStorage;
  /** Runs `work` in a transaction. If it throws, nothing is written. */
  transactionSync<Result>(work: () => Result): Result;
}

// A value may have 2 MB: https://developers.cloudflare.com/durable-objects/platform/limits/
const bytesPerPiece = 1_000_000;

/** Returns the bytes in pieces of at most 1 MB; one empty piece for no bytes. The pieces share memory with `bytes`. */
export function piecesOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / bytesPerPiece));
  return Array.from({ length: count }, (_, i) =>
    bytes.subarray(i * bytesPerPiece, (i + 1) * bytesPerPiece),
  );
}

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
