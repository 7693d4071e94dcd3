// Why this file exists: a result of a tool leaves the prompt only once the whole of it is kept.
import type { PluginContext } from '../plugin.js';
import type { OutputEdit, TakenOutput } from '../../types/compaction.js';
import type { Replacement } from '../../types/thread.js';

/** An edit of results, as `rewrite` takes it. */
export const asReplacement = ({ turn, content }: OutputEdit): Replacement => ({
  from: turn,
  to: turn + 1,
  contents: [content],
});

/** Keeps the JSON of each `response` that the edits take out, to the byte. */
export async function storeOutputs(
  edits: readonly OutputEdit[],
  { store }: PluginContext,
): Promise<TakenOutput[]> {
  const taken = edits.flatMap(({ outputs }) => outputs);
  for (const { storedAs, response } of taken)
    await store(storedAs, new TextEncoder().encode(response));
  return taken.map(({ name, storedAs, tokens }) => ({ name, storedAs, tokens }));
}
