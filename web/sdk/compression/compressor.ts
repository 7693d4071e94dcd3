// Why this file exists: a history that grows too long goes on in a new thread: a summary, and the newest turns
// as they were. The thread before is not touched.
import type { ConversationPart, PartContext, Usage } from '../conversation/part.js';
import { asReplacement } from '../masking/masker.js';
import type { Thread } from '../types.js';
import type { CompressionFailure, CompressionOptions } from './options.js';
import { shortened } from './prompts.js';
import { restart, summarise } from './summary.js';

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** A history that is to become shorter. */
interface Case {
  tokens: number;
  /** Of the summary, at most. */
  target: number | undefined;
}

/** The part that sums up. */
export class Compressor implements ConversationPart {
  readonly name = 'compression';
  readonly #options: CompressionOptions;
  /** What the API counted for the thread when it had `estimated` tokens. */
  #counted = { tokens: 0, estimated: 0 };
  /** A summary failed: from now on only results are shortened. */
  #failed = false;

  constructor(options: CompressionOptions) {
    this.#options = options;
  }

  afterAnswer(usage: Usage): void {
    this.#counted.tokens = count(usage['totalTokenCount']) - count(usage['thoughtsTokenCount']);
    this.#counted.estimated = -1;
  }

  async beforeTurn(thread: Thread, context: PartContext): Promise<Thread> {
    const due = this.#due(thread, context);
    if (!due) return thread;
    if (this.#failed && this.#options.form !== 'budget') return this.#shorten(thread, due, context);
    const made = await this.#compress(thread, due, context);
    if (typeof made !== 'string') return made;
    this.#failed = true;
    if (this.#options.form === 'budget') return this.#truncate(thread, context);
    return thread;
  }

  // What was counted for all turns so far, and what was estimated for those that came since.
  #tokensOf(thread: Thread): number {
    const { tokens, estimated } = this.#counted;
    if (tokens === 0) return thread.tokens;
    const before = estimated < 0 ? tokensBeforeLast(thread) : estimated;
    this.#counted.estimated = before;
    return Math.max(thread.tokens, tokens + thread.tokens - before);
  }

  #limit({ strata, model }: PartContext): number {
    return this.#options.contextTokens ?? strata.modelLimits(model).contextTokens;
  }

  #due(thread: Thread, context: PartContext): Case | undefined {
    const { form, threshold = 0.5, reserve = 16_000 } = this.#options;
    const tokens = this.#tokensOf(thread);
    const contextTokens = this.#limit(context);
    if (form === 'budget') {
      const budget = thread.historyBudget({ contextTokens, reserve });
      return tokens < budget.threshold ? undefined : { tokens, target: budget.target };
    }
    return tokens < threshold * contextTokens ? undefined : { tokens, target: undefined };
  }

  /** The thread that goes on, the same one where nothing can be summed up, or why it failed. */
  async #compress(
    thread: Thread,
    { tokens, target }: Case,
    context: PartContext,
  ): Promise<Thread | CompressionFailure> {
    const { keep = 0.3, form, model = context.model, check = form !== 'budget' } = this.#options;
    const { turns, opening } = thread.compressionCut(1 - keep);
    if (turns <= 0) return thread;
    const config = target === undefined ? undefined : { temperature: 0.3, maxOutputTokens: target };
    let summary: string;
    try {
      summary = await summarise(thread, turns, context, { model, check, config });
    } catch (error) {
      if (context.signal.aborted) throw error;
      return fail('error', context, error instanceof Error ? error.message : String(error));
    }
    if (summary === '') return fail('empty', context, 'The summary was empty');
    const contents = [...restart(summary), ...asked(thread, opening)];
    const made = thread.rewrite([{ from: 0, to: turns, contents }]);
    if (made.tokens > thread.tokens) {
      return fail('inflated', context, 'The summary is longer than what it sums up');
    }
    const after = Math.round((tokens * made.tokens) / Math.max(1, thread.tokens));
    this.#counted = { tokens: after, estimated: made.tokens };
    context.tell({ type: 'compressed', how: 'summary', turns, before: tokens, after });
    return made;
  }

  #shorten(thread: Thread, { tokens }: Case, { tell }: PartContext): Thread {
    const edits = thread.shortenOutputs({ prefix: shortened });
    if (edits.length === 0) return thread;
    const made = thread.rewrite(edits.map(asReplacement));
    const after = tokens - thread.tokens + made.tokens;
    this.#counted = { tokens: after, estimated: made.tokens };
    const turns = edits.length;
    tell({ type: 'compressed', how: 'shortened', turns, before: tokens, after });
    return made;
  }

  /** The newest turns that fit, behind an earlier summary if there is one. */
  #truncate(thread: Thread, context: PartContext): Thread {
    const { reserve = 16_000 } = this.#options;
    const contextTokens = this.#limit(context);
    const summary = earlierSummary(thread);
    const summaryTokens = summary.length > 0 ? thread.fork(summary.length).tokens : 0;
    const cut = thread.historyBudget({ contextTokens, reserve, summaryTokens });
    if (cut.turns <= summary.length) return thread;
    const contents = [...summary, ...asked(thread, cut.opening)];
    const made = thread.rewrite([{ from: 0, to: cut.turns, contents }]);
    context.tell({ type: 'diagnostics', diagnostics: [cut.diagnostic] });
    const { turns } = cut;
    const [before, after] = [thread.tokens, made.tokens];
    context.tell({ type: 'compressed', how: 'truncated', turns, before, after });
    this.#counted = { tokens: 0, estimated: 0 };
    return made;
  }
}

function tokensBeforeLast(thread: Thread): number {
  return thread.length === 0 ? 0 : thread.fork(thread.length - 1).tokens;
}

/** The words that the current turn began with: they stay, to the byte, where its answer goes on. */
const asked = (thread: Thread, opening: number) => (opening < 0 ? [] : [thread.content(opening)]);

function earlierSummary(thread: Thread): Uint8Array[] {
  if (thread.length < 2) return [];
  const first = new TextDecoder().decode(thread.content(0));
  return first.includes('<state_snapshot>') ? [thread.content(0), thread.content(1)] : [];
}

function fail(
  failure: CompressionFailure,
  { tell }: PartContext,
  reason: string,
): CompressionFailure {
  tell({ type: 'compressionFailed', failure, reason });
  return failure;
}
