// Stores tool results before they are removed from the prompt.
import type { PluginContext } from '../../sdk/chat/plugin.js';
import type { OutputEdit, TakenOutput } from '../../sdk/types/compaction.js';
import type { Replacement } from '../../sdk/types/thread.js';

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
