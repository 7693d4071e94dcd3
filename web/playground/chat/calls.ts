// Declares the tools of the document as functions whose results a person writes, and asks for these results.
import { StrataError, type FunctionTool, type Json, type ToolCall } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { Settings } from '../engine/chat-settings.js';
import { declarationsIn, type Declaration } from '../engine/declaration.js';
import { tools as demonstrations } from '../engine/demonstration-tools.js';

/** A call that waits for the result that a person writes. */
export interface OpenCall {
  call: ToolCall;
  tool: Declaration;
  /** Sends the result to the model. */
  answer: (result: Json) => void;
  /** Sends an error to the model. */
  fail: (message: string) => void;
}

/** Asks for the result of a call. */
export type AskForResult = (open: OpenCall) => void;

const toolOf = (tool: Declaration, ask: AskForResult): FunctionTool => ({
  ...tool,
  run: (_args, { call, signal: stop }) =>
    new Promise<Json>((answer, reject) => {
      const abort = () => reject(stop.reason);
      if (stop.aborted) return abort();
      stop.addEventListener('abort', abort, { once: true });
      const fail = (message: string) =>
        reject(new Error(message.trim() === '' ? `${call.name} failed.` : message));
      ask({ call, tool, answer, fail });
    }),
});

/**
 * Returns the tools of a conversation: those of the document or, if it has none, two that show how tools work.
 *
 * @throws StrataError `json.invalid` for tools that cannot be read
 */
export function toolsOf(
  { tools, demonstration }: Pick<Settings, 'tools' | 'demonstration'>,
  ask: AskForResult,
): FunctionTool[] {
  try {
    const declared = declarationsIn(tools);
    if (declared.length > 0) return declared.map((one) => toolOf(one, ask));
  } catch (error) {
    throw new StrataError('json.invalid', `The tools are invalid: ${messageOf(error)}`);
  }
  return demonstration ? demonstrations : [];
}
