// Why this file exists: old results of tools become previews. First the whole is kept, then it leaves the
// prompt: a store that fails leaves everything as it is.
import type { ConversationPart, PartContext } from '../conversation/part.js';
import type { OutputEdit, Replacement, Thread } from '../types.js';
import { MemoryOutputStore, type MaskingOptions, type OutputStore } from './options.js';

/** An edit of results, as `rewrite` takes it. */
export const asReplacement = ({ turn, content }: OutputEdit): Replacement => ({
  from: turn,
  to: turn + 1,
  contents: [content],
});

/** The part that masks. */
export class Masker implements ConversationPart {
  readonly name = 'masking';
  readonly #options: MaskingOptions;
  readonly #outputs: OutputStore;

  constructor(options: MaskingOptions) {
    this.#options = options;
    this.#outputs = options.outputs ?? new MemoryOutputStore();
  }

  async beforeTurn(thread: Thread, { tell }: PartContext): Promise<Thread> {
    const { outputs: _, ...limits } = this.#options;
    const edits = thread.maskOutputs(limits);
    if (edits.length === 0) return thread;
    const taken = edits.flatMap(({ outputs }) => outputs);
    try {
      for (const { keptAs, response } of taken) await this.#outputs.put(keptAs, response);
    } catch (error) {
      tell({ type: 'masked', outputs: [], reason: String(error) });
      return thread;
    }
    const names = taken.map(({ name, keptAs, tokens }) => ({ name, keptAs, tokens }));
    tell({ type: 'masked', outputs: names });
    return thread.rewrite(edits.map(asReplacement));
  }
}
