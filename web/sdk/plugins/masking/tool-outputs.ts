// Why this file exists: a result of a tool leaves the prompt only once the whole of it is kept.
import type { PartContext } from '../plugin.js';
import type { OutputEdit, TakenOutput } from '../../types/compaction.js';
import type { Replacement } from '../../types/thread.js';

/** An edit of results, as `rewrite` takes it. */
export const asReplacement = ({ turn, content }: OutputEdit): Replacement => ({
  from: turn,
  to: turn + 1,
  contents: [content],
});

/** Keeps the JSON of each `response` that the edits take out, to the byte. */
export async function keepOutputs(
  edits: readonly OutputEdit[],
  { keep }: PartContext,
): Promise<TakenOutput[]> {
  const taken = edits.flatMap(({ outputs }) => outputs);
  for (const { kept, response } of taken) await keep(kept, new TextEncoder().encode(response));
  return taken.map(({ name, kept, tokens }) => ({ name, kept, tokens }));
}
