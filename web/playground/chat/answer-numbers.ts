// Measures one answer: its tokens against the estimate, the time to its first piece, and why it ended.
import { usageAt } from '../../sdk/internal/cost.js';
import type { ConversationEvent, Manifest, UsageMetadata } from '../../index.js';
import type { AnswerNumbers } from '../state/playground-document.js';

const pieces = new Set(['text', 'thought', 'functionCall', 'part']);

type Counts = Pick<AnswerNumbers, 'input' | 'cached' | 'thought' | 'output' | 'unknown'>;

// Without the price, which is looked up where the numbers are shown.
function countsOf(usage: UsageMetadata): Counts {
  const {
    inputTokens,
    cachedTokens,
    thoughtTokens,
    outputTokens,
    unknown = [],
  } = usageAt(usage, undefined);
  const gaps = unknown.filter((gap) => gap !== 'price');
  return {
    ...{ input: inputTokens, cached: cachedTokens, thought: thoughtTokens, output: outputTokens },
    ...(gaps.length > 0 && { unknown: gaps }),
  };
}

/** Collects the numbers of the answer that is streaming. */
export class AnswerMeter {
  readonly #estimate: number;
  readonly #start = performance.now();
  #firstPieceMs: number | undefined;
  #counts: Counts = {};
  #finishReason = '';

  constructor({ promptTokens }: Manifest) {
    this.#estimate = promptTokens;
  }

  /** Reads an event of the answer. */
  add(event: ConversationEvent): void {
    if (pieces.has(event.type)) this.#firstPieceMs ??= Math.round(performance.now() - this.#start);
    if (event.type === 'usage') this.#counts = countsOf(event.usage);
    if (event.type === 'metadata')
      this.#finishReason = event.metadata.finishReason ?? this.#finishReason;
  }

  /** Returns the numbers of the answer whose turn was created `at`. */
  numbers(at: string): AnswerNumbers {
    const first = this.#firstPieceMs;
    return {
      ...{ at, estimate: this.#estimate, ...this.#counts, finishReason: this.#finishReason },
      ...(first === undefined ? {} : { firstPieceMs: first }),
    };
  }
}
