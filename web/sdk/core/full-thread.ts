// Implements `Thread`: what only the whole core can do with a thread, compaction and caches.
import { assembleFrame } from './assemble.js';
import { dispose } from '../internal/lifetime.js';
import { jsonPart, optionsPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { RawThread } from './raw.js';
import { OpenThread } from './thread.js';
import type { AssembleInput } from '../types/assemble.js';
import type { CachePreview } from '../types/manifest.js';
import type {
  BudgetOptions,
  HistoryBudget,
  HistoryCut,
  MaskOptions,
  OutputEdit,
  ShortenOptions,
} from '../types/compaction.js';
import type { Replacement, Thread } from '../types/thread.js';

/** Implements `Thread`. */
export class FullThread extends OpenThread implements Thread {
  rewrite(replacements: readonly Replacement[]): this {
    must.arrayOf(must.object)(replacements, '');
    // The core validates the options with the number of Contents in their place.
    const ranges = replacements.map(({ contents, ...range }) => ({
      ...range,
      contents: Array.isArray(contents) ? contents.length : null,
    }));
    const parts = replacements.flatMap(({ contents }, i) =>
      Array.isArray(contents)
        ? contents.map((content, j) => jsonPart(content, `/${i}/contents/${j}`))
        : [],
    );
    const rewritten = this.fork();
    try {
      const { raw } = rewritten;
      this.instance.call([optionsPart(ranges), ...parts], () => raw.rewrite());
      return rewritten;
    } catch (error) {
      rewritten[dispose]();
      throw error;
    }
  }

  maskOutputs(options: MaskOptions = {}): OutputEdit[] {
    return this.#query<{ edits: OutputEdit[] }>(options, (raw) => raw.mask()).edits;
  }

  shortenOutputs(options: ShortenOptions): OutputEdit[] {
    return this.#query<{ edits: OutputEdit[] }>(options, (raw) => raw.shorten()).edits;
  }

  compressionCut(fraction: number): HistoryCut {
    return this.#query({ fraction }, (raw) => raw.compression());
  }

  historyBudget(budget: BudgetOptions): HistoryBudget {
    return this.#query(budget, (raw) => raw.budget());
  }

  cacheBody(input: AssembleInput): { body: Uint8Array; turns: number; key: string } {
    const { raw, instance } = this;
    const { document, bytes } = instance.call<{ turns: number; key: string }>(
      assembleFrame(instance, input),
      () => raw.cacheBody(),
    );
    return { ...document, body: bytes };
  }

  cachePreview(input: AssembleInput): CachePreview {
    const { raw, instance } = this;
    return instance.call<CachePreview>(assembleFrame(instance, input), () => raw.cachePreview())
      .document;
  }

  #query<Document>(options: object, action: (raw: RawThread) => void): Document {
    const { raw } = this;
    return this.instance.call<Document>([optionsPart(options)], () => action(raw)).document;
  }
}
