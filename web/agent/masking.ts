// Replaces old tool results with previews after storing them. If the store fails, the thread stays unchanged.
import type { ConversationPlugin, PluginContext } from '../sdk/chat/plugin.js';
import { messageOf } from '../sdk/internal/messages.js';
import type { MaskOptions, OutputEdit, TakenOutput } from '../sdk/types/compaction.js';
import type { Replacement, Thread } from '../sdk/types/thread.js';

/** The plugin that masks old tool results. */
export class MaskingPlugin implements ConversationPlugin {
  readonly name = 'masking';
  readonly #options: MaskOptions;

  constructor(options: MaskOptions) {
    this.#options = options;
  }

  async beforeTurn(thread: Thread, context: PluginContext): Promise<Thread> {
    const edits = thread.maskOutputs(this.#options);
    if (edits.length === 0) return thread;
    try {
      const outputs = await storeOutputs(edits, context);
      context.emit({ type: 'masked', outputs });
    } catch (error) {
      if (context.signal.aborted) throw error;
      context.emit({ type: 'masked', outputs: [], reason: messageOf(error) });
      return thread;
    }
    return thread.rewrite(edits.map(asReplacement));
  }
}

/** Converts an edit of results to the form that `Thread.rewrite` takes. */
export const asReplacement = ({ turn, content }: OutputEdit): Replacement => ({
  from: turn,
  to: turn + 1,
  contents: [content],
});

/** Stores the JSON of each removed `response`, byte for byte. Returns what was stored. */
export async function storeOutputs(
  edits: readonly OutputEdit[],
  { store }: PluginContext,
): Promise<TakenOutput[]> {
  const removed = edits.flatMap(({ outputs }) => outputs);
  for (const { storedAs, response } of removed)
    await store(storedAs, new TextEncoder().encode(response));
  return removed.map(({ name, storedAs, tokens }) => ({ name, storedAs, tokens }));
}
