// Why this file exists: every call gets exactly one response, whatever the tool does: it may throw, hang,
// be unknown, or give what is no JSON.
import { Watch } from '../base/abort.js';
import { messageOf } from '../base/error-message.js';
import { jsonText } from '../base/json-text.js';
import type { Json } from '../types/json.js';
import {
  MediaResult,
  type FunctionTool,
  type ToolCall,
  type ToolResponse,
  type ToolResult,
} from '../types/tool.js';

/** Who is asked before a call: true runs it; a text is what the model is told instead. */
export type ConfirmTool = (
  call: ToolCall,
  options: { signal: AbortSignal },
) => boolean | string | Promise<boolean | string>;

export interface RunToolOptions {
  timeoutMs: number;
  confirm: ConfirmTool | undefined;
}

/** The response of a call that did not come to its end. */
export const stopped: ToolResponse = { error: 'Stopped before it finished.' };

/** Runs a call. Never rejects: an abort is a response as well, so that no call stays without one. */
export async function runTool(
  tool: FunctionTool | undefined,
  call: ToolCall,
  { timeoutMs, confirm }: RunToolOptions,
  signal: AbortSignal,
): Promise<ToolResponse> {
  if (!tool) return { error: `There is no tool named ${call.name}.` };
  try {
    const refusal = await askFirst(tool, call, confirm, signal);
    if (refusal !== undefined) return { error: refusal };
    return await runInTime(tool, call, timeoutMs, signal);
  } catch (error) {
    return signal.aborted ? stopped : { error: messageOf(error) };
  }
}

async function askFirst(
  tool: FunctionTool,
  call: ToolCall,
  confirm: ConfirmTool | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  // A person answers: no limit of time but the send's.
  const watch = new Watch(signal, 0, Error);
  try {
    const { confirm: needed = false } = tool;
    const asks =
      typeof needed === 'function' ? await watch.wait(promiseTry(() => needed(call))) : needed;
    if (!asks) return undefined;
    if (!confirm) return 'This tool needs a confirmation, and there is nobody to ask.';
    const answer = await watch.wait(promiseTry(() => confirm(call, { signal: watch.signal })));
    if (answer === true) return undefined;
    // Nothing but a plain yes runs it.
    return typeof answer === 'string' ? answer : 'The user declined this call.';
  } finally {
    watch.release();
  }
}

async function runInTime(
  tool: FunctionTool,
  call: ToolCall,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ToolResponse> {
  const ms = tool.timeoutMs ?? timeoutMs;
  const watch = new Watch(signal, ms, () => new Error(`${call.name} took longer than ${ms} ms.`));
  try {
    const run = promiseTry(() => tool.run(call.args, { signal: watch.signal, call }));
    return responseOf(await watch.wait(run));
  } finally {
    watch.release();
  }
}

// What a function throws before it gives a promise is a rejection too.
const promiseTry = async <Result>(work: () => Result | Promise<Result>): Promise<Result> => work();

function responseOf(result: ToolResult): ToolResponse {
  if (!(result instanceof MediaResult)) return { output: snapshot(result) };
  return { output: snapshot(result.output), parts: snapshot(result.parts) };
}

// What JSON says of a value now, bytes in it as base64: the tool may go on changing it.
function snapshot<Known = Json>(value: unknown): Known {
  return JSON.parse(jsonText(value) ?? 'null');
}
