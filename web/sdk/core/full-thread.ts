// Implements `Thread`: what only the whole core can do with a thread, compaction and caches.
import { assembleFrame } from './assemble.js';
import { dispose } from '../base/dispose.js';
import { jsonPart, valuePart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { RawThread } from './raw.js';
import { OpenThread } from './thread.js';
import type { AssembleInput } from '../types/assemble.js';
import type { CachePreview } from '../types/cache-plan.js';
import type {
  BudgetOptions,
  HistoryBudget,
  HistoryCut,
  MaskOptions,
  OutputEdit,
  ShortenOptions,
} from '../types/compaction.js';
import type { Replacement, Thread } from '../types/thread.js';

export const maskOptions: must.Shape<MaskOptions> = {
  protect: must.optional(must.nonNegative),
  least: must.optional(must.nonNegative),
  exempt: must.optional(must.arrayOf(must.optional(must.string))),
};

const shortenOptions: must.Shape<ShortenOptions> = {
  budget: must.optional(must.nonNegative),
  characters: must.optional(must.nonNegative),
  prefix: must.string,
  exempt: must.optional(must.arrayOf(must.optional(must.string))),
};

const budgetOptions: must.Shape<BudgetOptions> = {
  contextTokens: must.nonNegative,
  reserve: must.nonNegative,
  summaryTokens: must.optional(must.nonNegative),
};

const replacementList = must.required(
  must.optional(
    must.arrayOf(
      must.shape<Replacement>({
        from: must.count,
        to: must.count,
        contents: must.arrayOf(must.unchecked),
      }),
    ),
  ),
);

/** Implements `Thread`. */
export class FullThread extends OpenThread implements Thread {
  rewrite(replacements: readonly Replacement[]): this {
    replacementList(replacements, '');
    const ranges = replacements.map(({ from, to, contents }) => ({
      ...{ from, to },
      count: contents.length,
    }));
    const parts = replacements.flatMap(({ contents }) =>
      contents.map((content) => jsonPart(content)),
    );
    const rewritten = this.fork();
    try {
      const { raw } = rewritten;
      this.instance.call([valuePart(ranges), ...parts], () => raw.rewrite());
      return rewritten;
    } catch (error) {
      rewritten[dispose]();
      throw error;
    }
  }

  maskOutputs(options: MaskOptions = {}): OutputEdit[] {
    must.checkOptions(options, maskOptions);
    return this.#query<{ edits: OutputEdit[] }>(options, (raw) => raw.mask()).edits;
  }

  shortenOutputs(options: ShortenOptions): OutputEdit[] {
    must.checkOptions(options, shortenOptions);
    return this.#query<{ edits: OutputEdit[] }>(options, (raw) => raw.shorten()).edits;
  }

  compressionCut(fraction: number): HistoryCut {
    must.number(fraction, '/fraction');
    return this.#query({ fraction }, (raw) => raw.compression());
  }

  historyBudget(budget: BudgetOptions): HistoryBudget {
    must.checkOptions(budget, budgetOptions);
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
    return this.instance.call<Document>([valuePart(options)], () => action(raw)).document;
  }
}
