// Declares the subset of a Durable Object's SQLite storage that the Worker's objects use.

/** A value that SQLite returns. Numbers are exact up to 2^53. */
export type SqlValue = ArrayBuffer | string | number | null;

/** The rows of a statement. They are read while you iterate. */
export interface SqlRows<Row> extends Iterable<Row> {
  toArray(): Row[];
}

/** `ctx.storage.sql`. */
export interface SqlStorage {
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
