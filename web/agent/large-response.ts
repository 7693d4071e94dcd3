// Shortens tool results that are too long for the prompt and stores the whole result next to the thread.
import { shortHash } from '../sdk/internal/short-hash.js';
import type { ToolCall, ToolResponse } from '../sdk/types/tool.js';
import type { SendContext } from '../sdk/chat/send-request.js';

/** The response for the model; `storedAs` names the stored whole if it was shortened. */
export interface FittedResult {
  response: ToolResponse;
  storedAs?: string;
}

// Half of a surrogate pair would become U+FFFD.
const wholeHead = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
const wholeTail = (text: string): string => text.replace(/^[\udc00-\udfff]/, '');

/** Shortens a response above `maxResultChars` to its head and tail, and stores the whole. */
export async function fitResult(
  response: ToolResponse,
  { name }: ToolCall,
  { options, live }: SendContext,
): Promise<FittedResult> {
  const { maxResultChars = Infinity } = options;
  const value = 'output' in response ? response.output : response.error;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= maxResultChars) return { response };
  // The hash gives different results different names; equal results may share one.
  const storedAs = `${name}-${live.thread.length}-${shortHash(text)}`;
  try {
    await live.journal.store(storedAs, new TextEncoder().encode(text));
  } catch {
    // Without a stored copy nothing is removed.
    return { response };
  }
  const half = Math.floor(maxResultChars / 2);
  const head = wholeHead(text.slice(0, half));
  const tail = wholeTail(text.slice(text.length - half));
  const missing = text.length - head.length - tail.length;
  const note = `[${missing} characters left out; the whole result is kept as "${storedAs}"]`;
  const excerpt = `${head}\n${note}\n${tail}`;
  const { parts } = response;
  const shortened = 'output' in response ? { output: excerpt } : { error: excerpt };
  return { response: { ...shortened, ...(parts ? { parts } : {}) }, storedAs };
}
