// Counts what one caller uses, in a Durable Object: new threads a day, and threads in which a send runs.
import type { SqlDatabase, SqlValue } from './sql.js';

/** A claim to run sends in one thread. */
export interface Claim {
  /** The id of the thread. */
  thread: string;
  /** Milliseconds after which the claim ends by itself. */
  ms: number;
  /** How many threads may have claims. */
  most: number;
}

/** The answer to a claim, or to a new thread: how long to wait if it is refused. */
export interface Verdict {
  retryAfterMs?: number;
}

// The names of the columns and the order of the keys are stored: change them with a migration only.
const tables = `
CREATE TABLE IF NOT EXISTS days (day INTEGER PRIMARY KEY, threads INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS claims (thread TEXT PRIMARY KEY, ends INTEGER NOT NULL) WITHOUT ROWID;
`;

/** The claims that have not ended. `own`: how many are of the thread that asks. */
interface ClaimRow extends Record<string, SqlValue> {
  count: number;
  ends: number | null;
  own: number | null;
}

const dayMs = 86_400_000;

/** The storage and the clock of the counts. */
export class CallerCounts {
  readonly #storage: SqlDatabase;
  readonly #now: () => number;

  constructor(storage: SqlDatabase, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
    storage.sql.exec(tables);
  }

  /** Counts a new thread, unless `most` were created since midnight UTC. */
  countThread(most: number): Verdict {
    const now = this.#now();
    const day = Math.floor(now / dayMs);
    return this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      sql.exec('DELETE FROM days WHERE day < ?', day);
      const [row] = sql.exec<{ threads: number }>('SELECT threads FROM days WHERE day = ?', day);
      const threads = row?.threads ?? 0;
      if (threads >= most) return { retryAfterMs: (day + 1) * dayMs - now };
      sql.exec('INSERT OR REPLACE INTO days (day, threads) VALUES (?, ?)', day, threads + 1);
      return {};
    });
  }

  /** Claims that sends run in a thread, unless `most` others have claims. A claim of the thread is extended. */
  claim({ thread, ms, most }: Claim): Verdict {
    const now = this.#now();
    return this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      sql.exec('DELETE FROM claims WHERE ends <= ?', now);
      const query =
        'SELECT count(*) AS count, min(ends) AS ends, sum(thread = ?) AS own FROM claims';
      const [row] = sql.exec<ClaimRow>(query, thread);
      if (row && !row.own && row.count >= most) return { retryAfterMs: (row.ends ?? now) - now };
      const insert = 'INSERT OR REPLACE INTO claims (thread, ends) VALUES (?, ?)';
      sql.exec(insert, thread, now + ms);
      return {};
    });
  }

  /** Ends the claim of a thread. */
  release(thread: string): void {
    this.#storage.sql.exec('DELETE FROM claims WHERE thread = ?', thread);
  }
}

/**
 * The Durable Object that counts what one caller uses. Deployments name this class in their migrations
 * (wrangler.jsonc), so it cannot be renamed without a migration.
 */
export class CallerObject {
  readonly #counts: CallerCounts;

  constructor({ storage }: { storage: SqlDatabase }) {
    this.#counts = new CallerCounts(storage);
  }

  /** Answers `CallerLimits`. */
  async fetch(request: Request): Promise<Response> {
    const body: Claim = await request.json();
    switch (new URL(request.url).pathname) {
      case '/thread':
        return Response.json(this.#counts.countThread(body.most));
      case '/claim':
        return Response.json(this.#counts.claim(body));
      default:
        this.#counts.release(body.thread);
        return Response.json({});
    }
  }
}
