// Limits callers across all objects: the object that counts, and who asks it.
import type { SqlDatabase, SqlValue } from './sql.js';
import { GatewayError } from '../gateway/gateway-error.js';
import { HttpError } from '../server/body.js';
import { maxRunningSendsOf, maxThreadsOf, type Env, type Fetcher } from './env.js';

/** A claim to run sends in one thread. */
export interface Claim {
  /** The id of the thread. */
  thread: string;
  /** Milliseconds after which the claim ends by itself. */
  ms: number;
  /** How many threads may have claims. */
  most: number;
}

/** A new thread that counts. */
interface CountedThread {
  /** The id of the thread. */
  thread: string;
  /** How many threads may be created in a day. */
  most: number;
}

/** The answer to a claim, or to a new thread: how long to wait if it is refused. */
export interface Verdict {
  retryAfterMs?: number;
}

// The names of the columns and the order of the keys are stored: change them with a migration only.
const tables = `
CREATE TABLE IF NOT EXISTS days (day INTEGER PRIMARY KEY, threads INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS counted (thread TEXT PRIMARY KEY) WITHOUT ROWID;
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

  /** Counts a new thread, unless `most` were created since midnight UTC. It counts once, however often it is asked for. */
  countThread({ thread, most }: CountedThread): Verdict {
    const now = this.#now();
    const day = Math.floor(now / dayMs);
    return this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      const threads = this.#threadsOf(day);
      if (sql.exec('SELECT 1 FROM counted WHERE thread = ?', thread).toArray().length > 0)
        return {};
      if (threads >= most) return { retryAfterMs: (day + 1) * dayMs - now };
      sql.exec('INSERT INTO counted (thread) VALUES (?)', thread);
      sql.exec('INSERT OR REPLACE INTO days (day, threads) VALUES (?, ?)', day, threads + 1);
      return {};
    });
  }

  /** Takes back the count of a thread that was not created. */
  forgetThread(thread: string): void {
    this.#storage.transactionSync(() => {
      const { sql } = this.#storage;
      const deleted = sql.exec('DELETE FROM counted WHERE thread = ? RETURNING thread', thread);
      if (deleted.toArray().length > 0) sql.exec('UPDATE days SET threads = threads - 1');
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

  // Returns how many threads were created on a day, and forgets those of earlier days.
  #threadsOf(day: number): number {
    const { sql } = this.#storage;
    const [row] = sql.exec<{ threads: number }>('SELECT threads FROM days WHERE day = ?', day);
    if (row) return row.threads;
    sql.exec('DELETE FROM days');
    sql.exec('DELETE FROM counted');
    return 0;
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
        return Response.json(this.#counts.countThread(body));
      case '/forget':
        this.#counts.forgetThread(body.thread);
        return Response.json({});
      case '/claim':
        return Response.json(this.#counts.claim(body));
      default:
        this.#counts.release(body.thread);
        return Response.json({});
    }
  }
}

// A claim of running sends outlives the deadline by this much.
const claimMarginMs = 60_000;

const exceeded = (code: string, limit: string, retryAfterMs: number): GatewayError =>
  new GatewayError(429, code, `You have reached the limit of ${limit}.`, { retryAfterMs });

// A send usually ends long before its claim does.
const sendRetryMs = 5000;

// Beyond any deadline and count: a claim that must not be refused.
const unlimited = Number.MAX_SAFE_INTEGER;

/** The limits of one caller. */
export class CallerLimits {
  readonly #env: Env;
  readonly #object: Fetcher;

  /** @throws HttpError with the status 501 if no Durable Object is bound */
  constructor(env: Env, caller: string) {
    if (!env.CALLERS)
      throw new HttpError(501, 'threads.unavailable', 'The class CallerObject is not bound here.');
    this.#env = env;
    this.#object = env.CALLERS.get(env.CALLERS.idFromName(caller));
  }

  /** Counts a new thread, once for each id. @throws HttpError with the status 429 */
  async countThread(thread: string): Promise<void> {
    const most = maxThreadsOf(this.#env);
    const { retryAfterMs } = await this.#ask('thread', { thread, most });
    if (retryAfterMs === undefined) return;
    throw exceeded('limit.threads', `${most} new threads a day`, retryAfterMs);
  }

  /** Takes back the count of a thread that was not created. */
  async forgetThread(thread: string): Promise<void> {
    await this.#ask('forget', { thread });
  }

  /**
   * Claims that sends run in a thread, before one is accepted that has `leftMs` milliseconds. The claim ends with
   * `release`, or a minute later by itself. Another claim of the same thread extends it.
   *
   * @throws HttpError with the status 429
   */
  async claim(thread: string, leftMs: number): Promise<void> {
    const most = maxRunningSendsOf(this.#env);
    const ms = leftMs + claimMarginMs;
    const { retryAfterMs } = await this.#ask('claim', { thread, ms, most });
    if (retryAfterMs === undefined) return;
    const wait = Math.min(retryAfterMs, sendRetryMs);
    throw exceeded('limit.sends', `${most} threads in which a send runs at once`, wait);
  }

  /**
   * Extends the claim of a thread whose send was accepted earlier. It is never refused, and what fails is logged: the
   * count of running sends is a limit, and no reason for a send to fail.
   */
  async extend(thread: string, leftMs: number): Promise<void> {
    const ms = Math.max(0, leftMs) + claimMarginMs;
    await this.#ask('claim', { thread, ms, most: unlimited }).catch((error) =>
      console.error(error),
    );
  }

  /** Ends the claim of a thread in which nothing runs. What fails is logged. */
  async release(thread: string): Promise<void> {
    await this.#ask('release', { thread }).catch((error) => console.error(error));
  }

  async #ask(
    operation: 'thread' | 'forget' | 'claim' | 'release',
    body: Partial<Claim>,
  ): Promise<Verdict> {
    const init = { method: 'POST', body: JSON.stringify(body) };
    try {
      const response = await this.#object.fetch(new Request(`https://caller/${operation}`, init));
      if (response.ok) return await response.json();
    } catch (error) {
      console.error(error);
    }
    // Without counts nobody would be limited.
    const message = 'The limits of the caller could not be counted. Please retry.';
    throw new GatewayError(503, 'limit.unavailable', message, { retryAfterMs: 1000 });
  }
}
