// Shortens tool results that are too long for the prompt and stores the whole result next to the thread.
import type { CallResult, ConversationPlugin, PluginContext } from '../sdk/chat/plugin.js';
import { shortHash } from '../sdk/internal/bytes.js';
import type { Thread } from '../sdk/types/thread.js';
import type { ToolCall } from '../sdk/types/tool.js';

// Half of a surrogate pair would become U+FFFD.
const wholeHead = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');
const wholeTail = (text: string): string => text.replace(/^[\udc00-\udfff]/, '');

/** The plugin that shortens a response above `maxResultChars` to its head and tail. */
export class LargeResultPlugin implements ConversationPlugin {
  readonly name = 'maxResultChars';
  readonly #maxChars: number;

  constructor(maxResultChars: number) {
    this.#maxChars = maxResultChars;
  }

  async afterCall(
    { length }: Thread,
    result: CallResult,
    { name }: ToolCall,
    { store }: PluginContext,
  ): Promise<CallResult> {
    const { response } = result;
    const value = 'output' in response ? response.output : response.error;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length <= this.#maxChars) return result;
    // The hash gives different results different names; equal results may share one.
    const storedAs = `${name}-${length}-${shortHash(text)}`;
    try {
      await store(storedAs, new TextEncoder().encode(text));
    } catch {
      // Without a stored copy nothing is removed.
      return result;
    }
    const half = Math.floor(this.#maxChars / 2);
    const head = wholeHead(text.slice(0, half));
    const tail = wholeTail(text.slice(text.length - half));
    const missing = text.length - head.length - tail.length;
    const note = `[${missing} characters left out; the whole result is kept as "${storedAs}"]`;
    const excerpt = `${head}\n${note}\n${tail}`;
    const { parts } = response;
    const shortened = 'output' in response ? { output: excerpt } : { error: excerpt };
    return { response: { ...shortened, ...(parts ? { parts } : {}) }, storedAs };
  }
}
