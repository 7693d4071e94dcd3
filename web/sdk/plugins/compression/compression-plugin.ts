// Why this file exists: a history that grows too long goes on in a new thread: a summary, and the newest turns
// as they were. The thread before is not touched.
import type { Usage } from '../../types/response.js';
import type { ConversationPlugin, PluginContext } from '../plugin.js';
import { messageOf } from '../../base/error-message.js';
import type { Thread } from '../../types/thread.js';
import type { CompressionOptions } from './options.js';
import { shorten, sumUp, tokensOfFirst, truncate, type Shrunk } from './shrink.js';
import { NoSummary } from './summary.js';

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** A history that is to become shorter. */
interface Case {
  tokens: number;
  /** Of the summary, at most. */
  target: number | undefined;
}

/** The part that sums up. */
export class CompressionPlugin implements ConversationPlugin {
  readonly name = 'compression';
  readonly #options: CompressionOptions;
  /** What the API counted for the thread when it had `estimated` tokens; -1: when it ended in its answer. */
  #counted = { tokens: 0, estimated: 0 };
  /** A summary failed: from now on only results are shortened. */
  #failed = false;

  constructor(options: CompressionOptions) {
    this.#options = options;
  }

  afterAnswer(usage: Usage): void {
    const tokens = count(usage['totalTokenCount']) - count(usage['thoughtsTokenCount']);
    this.#counted = { tokens, estimated: -1 };
  }

  async beforeTurn(thread: Thread, context: PluginContext): Promise<Thread> {
    const due = this.#due(thread, context);
    if (!due) return thread;
    const shrunk = await this.#shrink(thread, due, context);
    if (!shrunk) return thread;
    const { tokens } = due;
    const after = Math.round((tokens * shrunk.thread.tokens) / Math.max(1, thread.tokens));
    this.#counted = { tokens: after, estimated: shrunk.thread.tokens };
    context.emit({ type: 'compressed', ...shrunk.how, before: tokens, after });
    return shrunk.thread;
  }

  async #shrink(
    thread: Thread,
    { target }: Case,
    context: PluginContext,
  ): Promise<Shrunk | undefined> {
    const { form } = this.#options;
    const onlyResults = this.#failed && form !== 'budget';
    if (onlyResults) return attempt(context, () => shorten(thread, context));
    let failed = false;
    const made = await attempt(
      context,
      () => sumUp(thread, context, this.#options, target),
      () => (failed = true),
    );
    this.#failed ||= failed;
    if (!failed || form !== 'budget') return made;
    return attempt(context, () => truncate(thread, context, this.#limits(context)));
  }

  // What was counted for all turns so far, and what was estimated for those that came since.
  #tokensOf(thread: Thread): number {
    const { tokens, estimated } = this.#counted;
    if (tokens === 0) return thread.tokens;
    const before = estimated < 0 ? tokensOfFirst(thread, thread.length - 1) : estimated;
    this.#counted.estimated = before;
    return Math.max(thread.tokens, tokens + thread.tokens - before);
  }

  #limits({ strata, model }: PluginContext) {
    const { contextTokens, reserve = 16_000 } = this.#options;
    return { contextTokens: contextTokens ?? strata.modelLimits(model).contextTokens, reserve };
  }

  #due(thread: Thread, context: PluginContext): Case | undefined {
    const { form, threshold = 0.5 } = this.#options;
    const tokens = this.#tokensOf(thread);
    const limits = this.#limits(context);
    if (form === 'budget') {
      const budget = thread.historyBudget(limits);
      return tokens < budget.threshold ? undefined : { tokens, target: budget.target };
    }
    return tokens < threshold * limits.contextTokens ? undefined : { tokens, target: undefined };
  }
}

// What fails is told, and costs no send.
async function attempt(
  context: PluginContext,
  work: () => Promise<Shrunk | undefined>,
  onFailure = () => {},
): Promise<Shrunk | undefined> {
  try {
    return await work();
  } catch (error) {
    if (context.signal.aborted) throw error;
    const failure = error instanceof NoSummary ? error.failure : 'error';
    const reason = messageOf(error);
    context.emit({ type: 'compressionFailed', failure, reason });
    onFailure();
    return undefined;
  }
}
