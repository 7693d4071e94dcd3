// Runs one functionCall and always returns one response, whether the tool returns, throws, hangs or does not exist.
import { abortable, promiseTry, Watch } from '../../internal/abort.js';
import { messageOf } from '../../internal/error-message.js';
import { parseExact } from '../../internal/exact-json.js';
import { jsonText } from '../../internal/json-text.js';
import { isPausedCall, type PausedCall } from './paused-call.js';
import type { Json } from '../../types/json.js';
import type { SchemaLike } from '../../types/json-schema.js';
import {
  MediaResult,
  type FunctionTool,
  type SchemaIssue,
  type ToolCall,
  type ToolResponse,
  type ToolResult,
} from '../../types/tool.js';

/** Called before a call runs: true runs it; a text is sent to the model as the error instead. */
export type ConfirmTool = (
  call: ToolCall,
  options: { signal: AbortSignal },
) => boolean | string | Promise<boolean | string>;

/** @internal */
export interface RunToolOptions {
  timeoutMs: number;
  confirm: ConfirmTool | undefined;
  /** Called with what does not match the tool's schema. The call then does not run. */
  onInvalid: (issues: SchemaIssue[]) => void;
  /** Called with what the tool threw or returned as an Error; the model receives only its message. */
  onError: (error: unknown) => void;
  /** Called if the tool returned undefined. */
  onNothing?: () => void;
}

/**
 * The response of a call that was aborted or never ran.
 *
 * @internal
 */
export const stopped: ToolResponse = { error: 'Stopped before it finished.' };

/**
 * Runs a call. Never rejects: an abort yields a response as well, so that every call gets one. A tool that throws
 * PausedCall yields it, unless the send was aborted.
 *
 * @internal
 */
export async function runTool(
  tool: FunctionTool | undefined,
  call: ToolCall,
  options: RunToolOptions,
  signal: AbortSignal,
): Promise<ToolResponse | PausedCall> {
  if (!tool) return { error: `There is no tool named ${call.name}.` };
  const { schema } = tool;
  const { confirm, onInvalid, onError } = options;
  try {
    const valid = schema ? await validated(schema, call, signal) : { value: call.args };
    if (valid.issues) {
      onInvalid(valid.issues);
      return { error: `Not run: the arguments do not match. ${valid.text}` };
    }
    const args = valid.value as ToolCall['args'];
    const refusal = await confirmCall(tool, call, confirm, signal);
    if (refusal !== undefined) return { error: refusal };
    const result = await runWithTimeout(tool, call, args, options.timeoutMs, signal);
    if (result instanceof Error) onError(result);
    else if (result === undefined) options.onNothing?.();
    return responseOf(result);
  } catch (error) {
    if (signal.aborted) return stopped;
    if (isPausedCall(error)) return error;
    onError(error);
    return { error: messageOf(error) };
  }
}

async function validated(schema: SchemaLike, { args }: ToolCall, signal: AbortSignal) {
  const { issuesText, validate } = await import('./schema.js');
  const result = await abortable(validate(schema, args), signal);
  return result.issues ? { ...result, text: issuesText(result.issues) } : result;
}

async function confirmCall(
  tool: FunctionTool,
  call: ToolCall,
  confirm: ConfirmTool | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  // No time limit of its own, because a person answers.
  const watch = new Watch(signal, 0, Error);
  try {
    const { confirm: required = false } = tool;
    const mustConfirm =
      typeof required === 'function'
        ? await watch.wait(promiseTry(() => required(call)))
        : required;
    if (!mustConfirm) return undefined;
    if (!confirm) return 'This tool needs a confirmation, and there is nobody to ask.';
    const answer = await watch.wait(promiseTry(() => confirm(call, { signal: watch.signal })));
    if (answer === true) return undefined;
    // Only `true` itself runs the call.
    return typeof answer === 'string' ? answer : 'The user declined this call.';
  } finally {
    watch.release();
  }
}

async function runWithTimeout(
  tool: FunctionTool,
  call: ToolCall,
  args: ToolCall['args'],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const ms = tool.timeoutMs ?? timeoutMs;
  const watch = new Watch(signal, ms, () => new Error(`${call.name} took longer than ${ms} ms.`));
  const run = promiseTry(() => tool.run(args, { signal: watch.signal, call }));
  return watch.waitLast(run);
}

function responseOf(result: ToolResult): ToolResponse {
  if (result instanceof Error) return { error: messageOf(result) };
  if (!(result instanceof MediaResult)) return { output: snapshot(result) };
  return { output: snapshot(result.output), parts: snapshot(result.parts) };
}

// Copies a value as JSON, with bytes as base64, because the tool may change it later.
function snapshot<Known = Json>(value: unknown): Known {
  if (['function', 'symbol'].includes(typeof value))
    throw new TypeError(`JSON cannot represent a ${typeof value}`);
  return parseExact(jsonText(value) ?? 'null') as Known;
}
