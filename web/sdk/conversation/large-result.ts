// Why this file exists: one tool that answers with a megabyte must not fill the prompt. What is left out of
// it is kept whole beside the thread.
import { shortHash } from '../base/short-hash.js';
import type { ToolCall, ToolResponse } from '../types/tool.js';
import type { SendContext } from './request.js';

/** A response as the model gets it; `kept` names the whole one where that was too long. */
export interface FittedResult {
  response: ToolResponse;
  storedAs?: string;
}

/** Shortens a response above `maxResultChars` to its head and tail, and keeps it whole. */
export async function fitResult(
  response: ToolResponse,
  { name }: ToolCall,
  { options, live }: SendContext,
): Promise<FittedResult> {
  const { maxResultChars = Infinity } = options;
  const value = 'output' in response ? response.output : response.error;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= maxResultChars) return { response };
  // Different results of one call get different names, equal ones may share theirs.
  const storedAs = `${name}-${live.thread.length}-${shortHash(text)}`;
  try {
    await live.journal.store(storedAs, new TextEncoder().encode(text));
  } catch {
    // What can't be kept is not taken out.
    return { response };
  }
  const half = Math.floor(maxResultChars / 2);
  const missing = text.length - 2 * half;
  const note = `[${missing} characters left out; the whole result is kept as "${storedAs}"]`;
  const short = `${text.slice(0, half)}\n${note}\n${text.slice(text.length - half)}`;
  const { parts } = response;
  const said = 'output' in response ? { output: short } : { error: short };
  return { response: { ...said, ...(parts ? { parts } : {}) }, storedAs };
}
