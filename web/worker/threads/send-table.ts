// Stores the sends of a thread: what was sent, and how far it is, so that another process can continue them.
import { parseExact } from '../../sdk/internal/json-text.js';
import type { MessageBody } from '../requests.js';
import type { SqlDatabase, SqlValue, TextTable } from '../sql.js';
import { StrataError, type UsageEvent, type ToolCall } from '../../index.js';
import { HttpError } from '../../server/body.js';
import type { SendCount } from '../metrics.js';

/**
 * `queued`: earlier sends come first. `running`: it runs, or the process that ran it has ended. `waiting`: calls of
 * the caller are open.
 */
type SendState = 'queued' | 'running' | 'waiting' | 'ended';

/** Why a send ends before its last answer. */
export type EndCode = 'aborted' | 'deadline';

/** One send. */
export interface SendRow {
  readonly number: number;
  readonly bodyHash: string;
  readonly state: SendState;
  /** The number of the attempt at it, from 1; 0 before the first. */
  readonly attempt: number;
  /** The index that its user Content gets in the thread; undefined before its first attempt. */
  readonly firstTurn: number | undefined;
  /** Whether its Content, or any turn if it has none, has entered the thread. */
  readonly isAccepted: boolean;
  /** Set once it is to end. */
  readonly endCode: EndCode | undefined;
  /** The running time that it has left, while it does not run. */
  readonly leftMs: number;
  /** When it is overdue, while it runs. */
  readonly deadlineAt: number | undefined;
}

interface StoredRow extends Record<string, SqlValue> {
  number: number;
  body_hash: string;
  state: SendState;
  attempt: number;
  first_turn: number | null;
  is_accepted: number;
  end_code: EndCode | null;
  left_ms: number;
  deadline_at: number | null;
}

const columns =
  'number, body_hash, state, attempt, first_turn, is_accepted, end_code, left_ms, deadline_at';

// A key is remembered for a day, and at least as long as this number of sends follow.
const rememberedSends = 256;
const rememberedMs = 86_400_000;

const messageName = (send: number): string => `message/${send}`;

function rowOf(stored: StoredRow): SendRow {
  const { number, state, attempt } = stored;
  return {
    ...{ number, state, attempt, bodyHash: stored.body_hash, leftMs: stored.left_ms },
    firstTurn: stored.first_turn ?? undefined,
    isAccepted: stored.is_accepted === 1,
    endCode: stored.end_code ?? undefined,
    deadlineAt: stored.deadline_at ?? undefined,
  };
}

/** What identifies a new send, and what it sends. */
interface NewSend {
  key: string | undefined;
  bodyHash: string;
  message: MessageBody['message'];
  leftMs: number;
}

/** The sends of one thread. The tables must exist. */
export class SendTable {
  readonly #database: SqlDatabase;
  readonly #texts: TextTable;

  constructor(database: SqlDatabase, texts: TextTable) {
    this.#database = database;
    this.#texts = texts;
  }

  /** The number of the last send; 0 without any. */
  get last(): number {
    const query = 'SELECT max(number) AS last FROM sends';
    const [row] = this.#database.sql.exec<{ last: number | null }>(query).toArray();
    return row?.last ?? 0;
  }

  /** The sends that have not ended, in order. */
  get active(): SendRow[] {
    return this.#select("state <> 'ended' ORDER BY number");
  }

  /** The first send that has not ended. */
  get head(): SendRow | undefined {
    return this.#select("state <> 'ended' ORDER BY number LIMIT 1")[0];
  }

  /** Returns the send with this number. */
  get(number: number): SendRow | undefined {
    return this.#select('number = ?', number)[0];
  }

  /** Returns the send with this idempotency key. */
  withKey(key: string): SendRow | undefined {
    return this.#select('key = ?', key)[0];
  }

  /** Adds a send to the end of the queue and returns its number. */
  add({ key, bodyHash, message, leftMs }: NewSend, now: number): number {
    return this.#database.transactionSync(() => {
      this.#forget(now);
      const number = this.last + 1;
      const insert = `INSERT INTO sends (number, key, body_hash, state, attempt, is_accepted, left_ms, created_at)
        VALUES (?, ?, ?, 'queued', 0, 0, ?, ?)`;
      this.#database.sql.exec(insert, number, key ?? null, bodyHash, leftMs, now);
      this.#texts.put(messageName(number), JSON.stringify(message));
      return number;
    });
  }

  /** Returns what a send that has not ended sends. */
  message(number: number): MessageBody['message'] {
    return parseExact(this.#texts.get(messageName(number)) ?? '""') as MessageBody['message'];
  }

  /** Takes note that an attempt begins, with the index that the send's user Content gets. */
  begin(number: number, attempt: number, deadlineAt: number): void {
    const set = "state = 'running', attempt = ?, deadline_at = ?";
    this.#update(number, set, attempt, deadlineAt);
  }

  /** Takes note of the index that the send's user Content gets. */
  place(number: number, firstTurn: number): void {
    this.#update(number, 'first_turn = ?', firstTurn);
  }

  /** Takes note that the send's Content is in the thread. */
  accept(number: number): void {
    this.#update(number, 'is_accepted = 1');
  }

  /** Takes note that the send waits for results; its running time stands still. */
  pause(number: number, leftMs: number): void {
    this.#update(number, "state = 'waiting', left_ms = ?, deadline_at = NULL", leftMs);
  }

  /** Takes note that the send is to end. The first reason holds. One that has not begun forgets its message. */
  endWith(number: number, code: EndCode): void {
    this.#update(number, 'end_code = coalesce(end_code, ?)', code);
    if (this.get(number)?.state === 'queued') this.#texts.delete(messageName(number));
  }

  /** Takes note that the send has ended, and forgets its message. */
  end(number: number, now: number): void {
    this.#database.transactionSync(() => {
      this.#update(number, "state = 'ended', ended_at = ?, deadline_at = NULL", now);
      this.#texts.delete(messageName(number));
    });
  }

  #select(condition: string, ...parameters: SqlValue[]): SendRow[] {
    const query = `SELECT ${columns} FROM sends WHERE ${condition}`;
    return this.#database.sql
      .exec<StoredRow>(query, ...parameters)
      .toArray()
      .map(rowOf);
  }

  #update(number: number, set: string, ...parameters: SqlValue[]): void {
    this.#database.sql.exec(`UPDATE sends SET ${set} WHERE number = ?`, ...parameters, number);
  }

  // The last send stays, so that numbers only grow.
  #forget(now: number): void {
    const condition = "state = 'ended' AND ended_at < ? AND number <= ?";
    const limit = this.last - rememberedSends;
    if (limit <= 0) return;
    const { sql } = this.#database;
    sql.exec(`DELETE FROM sends WHERE ${condition}`, now - rememberedMs, limit);
    const rest = sql.exec<{ first: number }>('SELECT min(number) AS first FROM sends').toArray();
    sql.exec('DELETE FROM calls WHERE send < ?', rest[0]?.first ?? 0);
  }
}

/** How an attempt at a send ended. */
export type Outcome = { type: 'completed' | 'waiting' } | { type: 'failed'; error: unknown };

/** The send that runs. */
export interface Running {
  readonly number: number;
  readonly controller: AbortController;
  readonly startedAt: number;
  /** The `usage` events since the last count. */
  readonly usage: UsageEvent[];
}

const codeOf = (error: unknown): string =>
  error instanceof StrataError || error instanceof HttpError ? error.code : 'internal';

/** Returns the count of a send that has ended or waits. */
export function countOf(
  { startedAt, usage }: Running,
  outcome: Outcome,
  endCode: EndCode | undefined,
): SendCount {
  const isAborted = outcome.type === 'failed' && endCode === 'aborted';
  return {
    outcome: isAborted ? 'aborted' : outcome.type,
    ...(outcome.type === 'failed' && { code: codeOf(outcome.error) }),
    seconds: (Date.now() - startedAt) / 1000,
    usage: usage.splice(0),
  };
}

/** The error of a send that its caller aborted. */
const sendAborted = () => new HttpError(409, 'send.aborted', 'The send was aborted.');

const deadlineExceeded = (ms: number) =>
  new HttpError(504, 'send.deadline', `The send ran longer than ${ms} ms (SEND_DEADLINE_MS).`);

/** The error of sends and streams of a thread that is being deleted. */
export const threadDeleted = () => new HttpError(409, 'thread.deleted', 'The thread was deleted.');

/** The error of a send in which tools of the deployment paused their calls. Nobody can post their results. */
export const pausedByDeployment = (calls: readonly ToolCall[]): StrataError => {
  const names = [...new Set(calls.map(({ name }) => name))].join(', ');
  const message = `Only calls of the caller can be answered later, but the deployment's ${names} paused its call.`;
  return new StrataError('conversation.waiting', message);
};

/** Returns the error of a send that ends before its last answer. */
export const endError = (code: EndCode, deadlineMs: number): HttpError =>
  code === 'aborted' ? sendAborted() : deadlineExceeded(deadlineMs);

/** What the model reads in the place of the results of calls that were open then. */
export const closedCallText: { readonly [code in EndCode]: string } = {
  aborted: 'Not answered: the request was aborted.',
  deadline: 'Not answered: the request took too long.',
};
