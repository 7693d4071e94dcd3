// Compresses a history that grows too long: the conversation resumes in a new thread of a summary and the newest
// turns, unchanged. The original thread is not modified.
import type { UsageMetadata } from '../../sdk/types/gemini/response.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { ConversationPlugin, PluginContext } from '../../sdk/chat/plugin.js';
import type { Manifest } from '../../sdk/types/manifest.js';
import type { AssembleInput, Assembled } from '../../sdk/types/assemble.js';
import type { Thread } from '../../sdk/types/thread.js';
import type { CompressionOptions } from '../../sdk/chat/plugin-options.js';
import {
  compressToSummary,
  removeOldTurns,
  shortenOldResults,
  SummaryError,
  tokensOfFirst,
  type Shrunk,
} from './summary.js';

/** A history that must be compressed. */
interface DueCompression {
  tokens: number;
  /** The size that `tokens` reached. */
  threshold: number;
  /** Maximum tokens of the summary. */
  target: number | undefined;
}

// After a failed summary, a history must grow by this share of the threshold before `budget` requests another.
const retryShare = 0.2;

// The tokens that a context of this size reserves for the answer by default.
const defaultReserve = (contextTokens: number): number =>
  Math.min(16_000, Math.floor(contextTokens / 4));

/** The plugin that compresses long histories. */
export class CompressionPlugin implements ConversationPlugin {
  readonly name = 'compression';
  readonly #options: CompressionOptions;
  readonly #size = new HistorySize();
  /** The size from which a summary is requested, after one that failed. */
  #summarizeFrom = 0;

  constructor(options: CompressionOptions) {
    this.#options = options;
  }

  beforeRequest(thread: Thread, input: AssembleInput): AssembleInput {
    this.#size.request(thread);
    return input;
  }

  beforeSend({ manifest }: Assembled): void {
    this.#size.assembled(manifest);
  }

  afterAnswer(usage: UsageMetadata): void {
    this.#size.answered(usage);
  }

  async beforeTurn(thread: Thread, context: PluginContext): Promise<Thread> {
    const due = this.#due(thread, context);
    if (!due) return thread;
    const shrunk = await this.#shrink(thread, due, context);
    if (!shrunk) return thread;
    const after = this.#size.replace(thread, shrunk.thread);
    // Turns that are left out still count as growth.
    this.#summarizeFrom -= due.tokens - after;
    context.emit({ type: 'compressed', ...shrunk.how, before: due.tokens, after });
    return shrunk.thread;
  }

  async #shrink(
    thread: Thread,
    due: DueCompression,
    context: PluginContext,
  ): Promise<Shrunk | undefined> {
    const isBudget = this.#options.form === 'budget';
    if (due.tokens >= this.#summarizeFrom) {
      const shrunk = await this.#summarize(thread, due, context);
      if (shrunk || !isBudget) return shrunk;
    }
    const limits = this.#limits(context);
    return attempt(context, () =>
      isBudget
        ? removeOldTurns(thread, context, limits, due.tokens - thread.tokens)
        : shortenOldResults(thread, context),
    );
  }

  #summarize(
    thread: Thread,
    { tokens, threshold, target }: DueCompression,
    context: PluginContext,
  ): Promise<Shrunk | undefined> {
    const isBudget = this.#options.form === 'budget';
    const limits = { threshold: threshold / this.#size.scaleOf(thread), target };
    return attempt(
      context,
      () => compressToSummary(thread, context, this.#options, limits),
      // `snapshot` requests no other.
      () => (this.#summarizeFrom = isBudget ? tokens + retryShare * threshold : Infinity),
    );
  }

  #limits(context: PluginContext) {
    const { contextTokens = context.limits().contextTokens, reserve } = this.#options;
    return { contextTokens, reserve: reserve ?? defaultReserve(contextTokens) };
  }

  #due(thread: Thread, context: PluginContext): DueCompression | undefined {
    const { form, threshold = 0.5 } = this.#options;
    const tokens = this.#size.of(thread);
    const limits = this.#limits(context);
    if (form === 'budget') {
      const budget = thread.historyBudget(limits);
      // A context that is smaller than the reserve has no budget to keep to.
      const isDue = budget.budget > 0 && tokens >= budget.threshold;
      return isDue ? { tokens, ...budget } : undefined;
    }
    const reached = threshold * limits.contextTokens;
    return tokens < reached ? undefined : { tokens, threshold: reached, target: undefined };
  }
}

// Emits a failure as an event; the send continues.
async function attempt(
  context: PluginContext,
  work: () => Promise<Shrunk | undefined>,
  onFailure = () => {},
): Promise<Shrunk | undefined> {
  try {
    return await work();
  } catch (error) {
    if (context.signal.aborted) throw error;
    const failure = error instanceof SummaryError ? error.failure : 'error';
    const reason = messageOf(error);
    context.emit({ type: 'compressionFailed', failure, reason });
    onFailure();
    return undefined;
  }
}

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** What a prompt with the first `turns` turns has, counted, and what these turns have, estimated. */
interface Counted {
  tokens: number;
  turns: number;
  estimate: number;
}

/** The size of the prompt that a conversation's history makes. */
class HistorySize {
  /** The history of the last request. */
  #requested = { turns: 0, estimate: 0 };
  /** Estimated tokens of the last request that are no part of its history. */
  #others = 0;
  /** The API's count of the last request and its answer, until the thread with both is seen. */
  #answered = 0;
  #counted: Counted | undefined;

  /** Notes the history of the next request. */
  request(thread: Thread): void {
    this.#requested = { turns: thread.length, estimate: thread.tokens };
  }

  /** Notes how large the request is estimated to be. */
  assembled({ promptTokens }: Manifest): void {
    this.#others = Math.max(0, promptTokens - this.#requested.estimate);
  }

  /** Notes the API's count. Thoughts are not sent again. */
  answered(usage: UsageMetadata): void {
    this.#answered = Math.max(0, count(usage.totalTokenCount) - count(usage.thoughtsTokenCount));
  }

  /** Returns the tokens of a prompt with this history. */
  of(thread: Thread): number {
    const counted = this.#countedOf(thread);
    if (!counted) return thread.tokens + this.#others;
    return Math.max(thread.tokens, counted.tokens + thread.tokens - counted.estimate);
  }

  /** Returns the factor from the estimate of this history to its tokens. */
  scaleOf(thread: Thread): number {
    const tokens = this.of(thread);
    return (tokens - this.#othersIn(tokens)) / Math.max(1, thread.tokens);
  }

  /** Notes that `next` replaces `thread`, and returns the tokens of a prompt with it. */
  replace(thread: Thread, next: Thread): number {
    const others = this.#othersIn(this.of(thread));
    const tokens = Math.round(others + next.tokens * this.scaleOf(thread));
    this.#counted = { tokens, turns: next.length, estimate: next.tokens };
    return tokens;
  }

  #othersIn(tokens: number): number {
    return Math.min(tokens, this.#others);
  }

  // Drops a count whose turns the thread no longer has, as after `rewind`.
  #countedOf(thread: Thread): Counted | undefined {
    if (this.#answered > 0) this.#counted = this.#withAnswer(thread, this.#answered);
    this.#answered = 0;
    if (this.#counted && this.#counted.turns > thread.length) this.#counted = undefined;
    return this.#counted;
  }

  // The old results in the thread may have been masked since the request, its answer is as it was.
  #withAnswer(thread: Thread, tokens: number): Counted | undefined {
    const { turns, estimate } = this.#requested;
    const hasAnswer =
      thread.length > turns && (thread.length > turns + 1 || thread.tail.kind === 'model');
    if (!hasAnswer) return undefined;
    const answer = tokensOfFirst(thread, turns + 1) - tokensOfFirst(thread, turns);
    return { tokens, turns: turns + 1, estimate: estimate + answer };
  }
}
