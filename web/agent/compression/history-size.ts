// Measures a history by the API's count of an earlier request, and by an estimate of what changed since.
import type { UsageMetadata } from '../../sdk/types/gemini/response.js';
import { withDisposable } from '../../sdk/internal/lifetime.js';
import type { Manifest } from '../../sdk/types/manifest.js';
import type { Thread } from '../../sdk/types/thread.js';

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Returns the tokens of the first `turns` turns. */
export function tokensOfFirst(thread: Thread, turns: number): number {
  return turns > 0 ? withDisposable(thread.fork(turns), ({ tokens }) => tokens) : 0;
}

/** What a prompt with the first `turns` turns has, counted, and what these turns have, estimated. */
interface Counted {
  tokens: number;
  turns: number;
  estimate: number;
}

/** The size of the prompt that a conversation's history makes. */
export class HistorySize {
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
