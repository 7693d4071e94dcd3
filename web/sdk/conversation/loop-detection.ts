// Detects repeated calls and repeated text by counting; no model is asked. The defaults follow Gemini CLI,
// packages/core/src/services/loopDetectionService.ts.
import { GeminiError } from '../base/errors.js';
import * as must from '../base/options.js';
import type { ToolCall } from '../types/tool.js';
import type { StreamEvent } from '../types/response.js';
import { JsonSplitter, type Run } from './json-in-text.js';
import type { Events } from './event-queue.js';

/** What counts as a loop, and what happens then. */
export interface LoopDetectionOptions {
  /** Repetitions of one call, or of one cycle of calls, that count as a loop. Default: 5. */
  calls?: number;
  /** Length of the longest cycle of calls that is detected. Default: 5. */
  cycle?: number;
  /** Repetitions of the same 50 characters, close together, that count as a loop. Default: 10. */
  texts?: number;
  /**
   * What happens when an answer repeats text. `event` (default): emits a `loop` event of kind `text` and
   * keeps the whole answer. `end`: cancels the stream, discards the answer, and ends the send with
   * `answer.loop` if another attempt (`answerRetry`) repeats text as well. Repeated calls always end the
   * send.
   */
  onText?: 'event' | 'end';
}

export const loopOptions = must.shape<LoopDetectionOptions>({
  calls: must.optional(must.nonNegative),
  cycle: must.optional(must.nonNegative),
  texts: must.optional(must.nonNegative),
  onText: must.optional(must.oneOf('event', 'end')),
});

/** Detects cycles of calls. Arguments are equal if their JSON is, including the order of keys. */
export class CallLoopDetector {
  readonly #times: number;
  readonly #maxCycle: number;
  #calls: string[] = [];

  constructor({ calls = 5, cycle = 5 }: LoopDetectionOptions = {}) {
    this.#times = calls;
    this.#maxCycle = cycle;
  }

  /** Counts a call. Returns true, and resets the count, if it completes the last allowed cycle. */
  add({ name, args }: Pick<ToolCall, 'name' | 'args'>): boolean {
    const historyLength = this.#times * this.#maxCycle;
    this.#calls = [...this.#calls, `${name} ${JSON.stringify(args)}`].slice(-historyLength);
    for (let length = 1; length <= this.#maxCycle; length++) {
      if (!this.#endsInCycle(length)) continue;
      this.#calls = [];
      return true;
    }
    return false;
  }

  #endsInCycle(length: number): boolean {
    const tail = this.#calls.slice(-length * this.#times);
    if (tail.length < length * this.#times) return false;
    return tail.every((call, index) => call === tail[index % length]);
  }
}

const chunkLength = 50;
const maxHistory = 5000;
// Repetitions further apart than this, or with many different texts between them, are style, not a loop.
const maxGap = 5 * chunkLength;

const codeFence = /```/g;
// Lists, tables, headings, quotes and rules repeat by nature.
const markup = /(^|\n)\s*([*+-]\s|\d+\.\s|#+\s|>\s|\|.*\||[|+-]{3,})/;
const divider = /^[-+_=*\u2500-\u257F]+$/;

/** Detects text that repeats within a stream. */
class TextLoopDetector {
  readonly #times: number;
  #text = '';
  #position = 0;
  #seen = new Map<string, number[]>();
  #inFence = false;
  readonly #json = new JsonSplitter();

  constructor({ texts = 10 }: LoopDetectionOptions = {}) {
    this.#times = texts;
  }

  /** Forgets the text so far, for example after a call. */
  reset(): void {
    this.#text = '';
    this.#position = 0;
    this.#seen.clear();
  }

  /** Adds a piece of text. Returns true if it completes a loop. */
  add(piece: string): boolean {
    return this.#json.split(piece).some((run) => this.#addRun(run));
  }

  // Strings of JSON are compared like prose; the syntax around them separates them.
  #addRun({ kind, text }: Run): boolean {
    if (kind === 'prose') return this.#addProse(text);
    if (kind === 'string') return this.#addWords(text);
    if (text.includes('"')) this.reset();
    return false;
  }

  #addProse(piece: string): boolean {
    const fences = piece.match(codeFence)?.length ?? 0;
    const wasInFence = this.#inFence;
    if (fences % 2 === 1) this.#inFence = !this.#inFence;
    const isDivider = divider.test(piece.trim());
    if (fences > 0 || isDivider || markup.test(piece)) this.reset();
    return !wasInFence && !this.#inFence && !isDivider && this.#addWords(piece);
  }

  #addWords(words: string): boolean {
    this.#text += words;
    this.#dropOldText();
    while (this.#position + chunkLength <= this.#text.length) {
      if (this.#isLoopAt(this.#position)) return true;
      this.#position++;
    }
    return false;
  }

  #dropOldText(): void {
    const surplus = this.#text.length - maxHistory;
    // Not for each piece: the cost is linear in the remembered text.
    if (surplus <= maxHistory) return;
    this.#text = this.#text.slice(surplus);
    this.#position = Math.max(0, this.#position - surplus);
    for (const [chunk, at] of this.#seen) {
      const remaining = at.map((index) => index - surplus).filter((index) => index >= 0);
      if (remaining.length > 0) this.#seen.set(chunk, remaining);
      else this.#seen.delete(chunk);
    }
  }

  #isLoopAt(position: number): boolean {
    const chunk = this.#text.slice(position, position + chunkLength);
    const last = [...(this.#seen.get(chunk) ?? []), position].slice(-this.#times);
    this.#seen.set(chunk, last);
    const [first] = last;
    if (first === undefined || last.length < this.#times) return false;
    if ((position - first) / (last.length - 1) > maxGap) return false;
    const between = new Set(last.slice(1).map((end, index) => this.#text.slice(last[index], end)));
    return between.size <= this.#times / 2;
  }
}

/** Watches the streamed answers of one send for repeated text. */
export class TextWatch {
  readonly #options: LoopDetectionOptions | false;
  readonly #ends: boolean;
  #detections = 0;

  constructor(options: LoopDetectionOptions | false = {}) {
    this.#options = options;
    this.#ends = options !== false && options.onText === 'end';
  }

  /** Whether `onText: 'end'` has ended more than one answer, so that no attempt is left. */
  get isExhausted(): boolean {
    return this.#ends && this.#detections > 1;
  }

  /**
   * Yields the events of an answer unchanged. Repeated text adds one `loop` event; with `onText: 'end'` it
   * throws GeminiError `answer.loop`.
   */
  async *passThrough<Result>(events: AsyncGenerator<StreamEvent, Result, void>): Events<Result> {
    let detector = this.#options === false ? undefined : new TextLoopDetector(this.#options);
    try {
      for (;;) {
        const { done, value } = await events.next();
        if (done) return value;
        if (value.type === 'functionCall') detector?.reset();
        const repeats = value.type === 'text' && detector?.add(value.text);
        yield value;
        if (!repeats) continue;
        const count = ++this.#detections;
        if (this.#ends) {
          throw new GeminiError('answer.loop', 'The answer repeats the same text');
        }
        yield { type: 'loop', kind: 'text', count };
        // One event per answer.
        detector = undefined;
      }
    } finally {
      // Cancels the stream; has no effect if the stream has ended.
      await events.return(undefined as Result);
    }
  }
}
