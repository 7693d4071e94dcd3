// Stores the calls of the caller's tools and their results. A result is stored before its request is answered, and
// enters the thread with those of the other calls of its step.
import type { OpenCall } from '../thread-event.js';
import type { SqlDatabase, SqlValue } from '../sql.js';
import type { TextTable } from './text-table.js';

/** `closed`: the thread holds the result, or an error in its place. */
type CallState = 'open' | 'answered' | 'closed';

/** One call of a caller's tool. */
export interface CallRow {
  readonly callId: string;
  /** The send that waits for its result. */
  readonly send: number;
  readonly state: CallState;
  /** Identifies the result. */
  readonly digest: string | undefined;
  /** The id of the last event before the result arrived. */
  readonly answeredAfter: string | undefined;
}

/** The result of a call as it was posted. */
export interface StoredResult {
  readonly callId: string;
  /** `{"response": …}` or `{"error": …}`. */
  readonly json: string;
  readonly digest: string;
}

interface StoredRow extends Record<string, SqlValue> {
  call_id: string;
  send: number;
  name: string;
  state: CallState;
  digest: string | null;
  answered_after: string | null;
}

const argsName = (callId: string): string => `args/${callId}`;
const resultName = (callId: string): string => `result/${callId}`;

// All open calls belong to one turn.
const placeOf = ({ callId }: OpenCall): number => Number(callId.split('.').at(-1));

/** The calls of one thread. The tables must exist. */
export class CallTable {
  readonly #database: SqlDatabase;
  readonly #texts: TextTable;

  constructor(database: SqlDatabase, texts: TextTable) {
    this.#database = database;
    this.#texts = texts;
  }

  /** The calls without a result. */
  get open(): OpenCall[] {
    const rows = this.#select("state = 'open'").map(({ call_id: callId, name }) => ({
      callId,
      name,
      args: JSON.parse(this.#texts.get(argsName(callId)) ?? '{}'),
    }));
    return rows.sort((a, b) => placeOf(a) - placeOf(b));
  }

  /** Returns a call. */
  get(callId: string): CallRow | undefined {
    const [row] = this.#select('call_id = ?', callId);
    if (!row) return undefined;
    const { send, state, digest, answered_after: after } = row;
    return {
      ...{ callId, send, state },
      digest: digest ?? undefined,
      answeredAfter: after ?? undefined,
    };
  }

  /** Takes note of a call that the model made. A call that is open already keeps its result. */
  announce(send: number, { callId, name, args }: OpenCall): void {
    const known = this.get(callId);
    if (known && known.state !== 'closed') return;
    this.#database.transactionSync(() => {
      const insert =
        "INSERT OR REPLACE INTO calls (call_id, send, name, state) VALUES (?, ?, ?, 'open')";
      this.#database.sql.exec(insert, callId, send, name);
      this.#texts.put(argsName(callId), JSON.stringify(args));
    });
  }

  /** Stores results of open calls. `after` is the id of the last event. */
  answer(results: readonly StoredResult[], after: string): void {
    const update =
      "UPDATE calls SET state = 'answered', digest = ?, answered_after = ? WHERE call_id = ?";
    this.#database.transactionSync(() => {
      for (const { callId, json, digest } of results) {
        this.#database.sql.exec(update, digest, after, callId);
        this.#texts.put(resultName(callId), json);
      }
    });
  }

  /** Returns the result of a call that the thread does not hold yet, as JSON. */
  result(callId: string): string | undefined {
    return this.#texts.get(resultName(callId));
  }

  /** Like `result`, for the call at this place: the index of the model's turn, and that of the call in it. */
  resultAt(turn: number, call: number): string | undefined {
    const [row] = this.#select("state = 'answered' AND call_id LIKE ?", `%.${turn}.${call}`);
    return row && this.result(row.call_id);
  }

  /** Takes note that the thread holds responses to all calls, and forgets their texts. */
  closeAll(): void {
    const rows = this.#select("state <> 'closed'");
    if (rows.length === 0) return;
    this.#database.transactionSync(() => {
      for (const { call_id: callId } of rows) {
        this.#texts.delete(argsName(callId));
        this.#texts.delete(resultName(callId));
      }
      this.#database.sql.exec("UPDATE calls SET state = 'closed' WHERE state <> 'closed'");
    });
  }

  #select(condition: string, ...parameters: SqlValue[]): StoredRow[] {
    const query = `SELECT * FROM calls WHERE ${condition}`;
    return this.#database.sql.exec<StoredRow>(query, ...parameters).toArray();
  }
}
