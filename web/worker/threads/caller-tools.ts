// Runs the tools of a caller: a call takes its result from the table, or stays open until the caller has posted one.
import { MediaResult, PausedCall, type FunctionTool, type ToolCall } from '../../index.js';
import type { CallerTool } from '../requests.js';
import type { CallTable } from './call-table.js';

/** Knows the ids of the calls that a conversation has announced. */
export class CallIds {
  #ids = new WeakMap<ToolCall, string>();
  #turn = -1;
  #next = 0;

  /** Forgets all calls, because the conversation announces open calls again with each send. */
  start(): void {
    this.#ids = new WeakMap();
    this.#turn = -1;
  }

  /** Gives the next call of the model's turn at this index its id. */
  announce(call: ToolCall, turn: number): void {
    if (turn !== this.#turn) [this.#turn, this.#next] = [turn, 0];
    this.#ids.set(call, `${turn}.${this.#next++}`);
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

function resultOf(json: string | undefined): object {
  if (json === undefined) throw new PausedCall();
  const { response, parts, error } = JSON.parse(json);
  if (error !== undefined) throw new Error(error);
  return parts ? new MediaResult(response, parts) : response;
}
