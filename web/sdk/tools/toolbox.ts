// Why this file exists: tools are declared to the model and run here, in one place, so that every call
// gets exactly one result, whatever the tool does.
import { Watch } from '../abort.js';
import type { Json } from '../types.js';

/** A functionCall of the model; `id` only where the API gave one. */
export interface ToolCall {
  name: string;
  id?: string;
  args: { [name: string]: Json };
}

/** What the model is told: the result, or why there is none. */
export type ToolResponse = { output: Json } | { error: string };

/** A function declaration and the function. */
export interface FunctionTool {
  name: string;
  description?: string;
  /** The arguments in the API's schema dialect, or as JSON Schema; one of them or none. */
  parameters?: { [key: string]: Json };
  parametersJsonSchema?: Json;
  /**
   * Runs the call. What it throws is told to the model as `{ error: message }`. `signal` aborts with the
   * send that caused the call, and after `toolTimeoutMs`.
   */
  run: (
    args: ToolCall['args'],
    context: { signal: AbortSignal; call: ToolCall },
  ) => Json | Promise<Json>;
}

/** One of the API's own tool objects, such as `{ googleSearch: {} }`; calls of functions declared here get an error. */
export interface RawTool {
  [key: string]: Json;
}

/** A call on its way to a response. */
export interface CallState {
  call: ToolCall;
  response?: ToolResponse;
}

/** The response of a call that did not come to its end. */
export const stopped: ToolResponse = { error: 'Stopped before it finished.' };

function isFunctionTool(tool: FunctionTool | RawTool): tool is FunctionTool {
  return typeof tool['run'] === 'function';
}

/** The tools of one conversation. */
export class Toolbox {
  /** The request's `tools` as JSON text, always the same bytes; undefined without tools. */
  readonly json: string | undefined;
  readonly #functions: Map<string, FunctionTool>;
  readonly #timeoutMs: number;

  constructor(tools: (FunctionTool | RawTool)[], timeoutMs: number) {
    const functions = tools.filter(isFunctionTool);
    const functionDeclarations = functions.map(({ run: _, ...declaration }) => declaration);
    const declared = functions.length > 0 ? [{ functionDeclarations }] : [];
    const all = [...declared, ...tools.filter((tool) => !isFunctionTool(tool))];
    this.json = all.length > 0 ? JSON.stringify(all) : undefined;
    this.#functions = new Map(functions.map((tool) => [tool.name, tool]));
    this.#timeoutMs = timeoutMs;
  }

  /** Runs all calls at once and notes their responses; yields each as it finishes. */
  async *run(step: CallState[], signal: AbortSignal): AsyncGenerator<Required<CallState>> {
    const finish = async (state: CallState) => {
      const response = (state.response = await this.#respond(state.call, signal));
      return { state, call: state.call, response };
    };
    const running = new Map(step.map((state) => [state, finish(state)]));
    while (running.size > 0) {
      const { state, call, response } = await Promise.race(running.values());
      running.delete(state);
      yield { call, response };
    }
  }

  // Never throws: an abort is a result as well, so that no call stays without one.
  async #respond(call: ToolCall, signal: AbortSignal): Promise<ToolResponse> {
    const tool = this.#functions.get(call.name);
    if (!tool) return { error: `There is no tool named ${call.name}.` };
    const late = () => new Error(`${call.name} took longer than ${this.#timeoutMs} ms.`);
    const watch = new Watch(signal, this.#timeoutMs, late);
    try {
      const run = async () => tool.run(call.args, { signal: watch.signal, call });
      return { output: snapshot(await watch.wait(run())) };
    } catch (error) {
      return signal.aborted ? stopped : { error: messageOf(error) };
    } finally {
      watch.release();
    }
  }
}

// What JSON says of a value now: the tool may go on changing it.
function snapshot(value: Json | undefined): Json {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
