// Keeps the functionCalls that wait for their callers, and turns them into tools and events.
import type { OpenCall, ThreadEvent } from '../thread-event.js';
import type { SqlDatabase, SqlValue, TextTable } from '../sql.js';
import {
  MediaResult,
  PausedCall,
  type FunctionTool,
  type Json,
  type ToolCall,
  type ToolResponse,
  type ToolResult,
  type ConversationEvent,
} from '../../index.js';
import { parseExact } from '../../sdk/internal/json-text.js';
import type { CallerTool } from '../requests.js';

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

/** Knows the ids of the calls that a conversation has announced. */
export class CallIds {
  #ids = new WeakMap<ToolCall, string>();
  #send = 0;
  #turn = -1;
  #next = 0;

  /** Forgets all calls, because the conversation announces open calls again with each send. */
  start(send: number): void {
    this.#ids = new WeakMap();
    this.#send = send;
    this.#turn = -1;
  }

  /**
   * Gives the next call of the model's turn at this index its id. After a rewind another send makes calls at the same
   * place, so the id begins with the number of the send.
   */
  announce(call: ToolCall, turn: number): void {
    if (turn !== this.#turn) [this.#turn, this.#next] = [turn, 0];
    this.#ids.set(call, `${this.#send}.${turn}.${this.#next++}`);
  }

  /** Returns the id of a call that was announced. */
  of(call: ToolCall): string {
    return this.#ids.get(call) ?? '';
  }
}

/** Returns tools for what a caller declared. */
export function callerTools(
  declarations: readonly CallerTool[],
  calls: CallTable,
  ids: CallIds,
): FunctionTool[] {
  return declarations.map(({ parameters, ...declaration }) => ({
    ...declaration,
    ...(parameters && { parameters }),
    run: (_, { call }) => resultOf(calls.result(ids.of(call))),
  }));
}

/** Returns the response for a result that the table has. */
export function callerResponse(json: string): ToolResponse {
  const { response, parts, error } = parseExact(json) as StoredResponse;
  if (error !== undefined) return { error };
  return { output: response, ...(parts && { parts }) };
}

/** What `post-results.ts` stores about a call. */
interface StoredResponse {
  response: Json;
  parts?: NonNullable<ToolResponse['parts']>;
  error?: string;
}

function resultOf(json: string | undefined): ToolResult {
  if (json === undefined) throw new PausedCall();
  const { output = null, parts, error } = callerResponse(json);
  if (error !== undefined) throw new Error(error);
  return parts ? new MediaResult(output, parts) : output;
}

type CallEvent = Extract<ConversationEvent, { type: 'toolCall' | 'toolResult' }>;

/** Adds to an event which call it is about, and who runs it. */
function withPlace(event: CallEvent, ids: CallIds, isCallers: (name: string) => boolean) {
  const { call } = event;
  const runsAt = isCallers(call.name) ? ('caller' as const) : ('deployment' as const);
  return { ...event, callId: ids.of(call), runsAt };
}

/** Returns the event of a thread for one of a conversation, except for `waiting`, which depends on posted results. */
export function threadEvent(
  event: Exclude<ConversationEvent, { type: 'waiting' }>,
  ids: CallIds,
  isCallers: (name: string) => boolean,
): ThreadEvent {
  return event.type === 'toolCall' || event.type === 'toolResult'
    ? withPlace(event, ids, isCallers)
    : event;
}

/** Returns a call with its id. */
export function openCallOf({ call }: CallEvent, ids: CallIds): OpenCall {
  const { name, args } = call;
  return { callId: ids.of(call), name, args };
}
