// Runs the tools of a caller: a call takes its result from the table, or stays open until the caller has posted one.
import {
  MediaResult,
  PausedCall,
  type FunctionTool,
  type Json,
  type ToolCall,
  type ToolResponse,
  type ToolResult,
} from '../../index.js';
import { parseExact } from '../../sdk/internal/json.js';
import type { CallerTool } from '../requests.js';
import type { CallTable } from './call-table.js';

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
