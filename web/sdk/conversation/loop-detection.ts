// Why this file exists: a model can get stuck, in calls or in words. Both are found by counting; no model
// is asked about it.
import { GeminiError } from '../base/errors.js';
import * as must from '../base/options.js';
import type { ToolCall } from '../types/tool.js';
import type { StreamEvent } from '../types/response.js';
import { JsonInText, type Run } from './json-in-text.js';
import type { Events } from './event-queue.js';

/** What counts as a loop, and what follows from one. */
export interface LoopDetectionOptions {
  /** So many times the same call, or the same cycle of calls. Default: 5. */
  calls?: number;
  /** The longest cycle of calls that is looked for. Default: 5. */
  cycle?: number;
  /** So many times the same 50 characters, close together. Default: 10. */
  texts?: number;
  /**
   * What an answer that repeats a text does. `event` (default): a `loop` event of kind `text`; the answer is
   * kept whole. `end`: the stream is left, nothing of the answer is kept, and the send ends with `answer.loop`
   * once another attempt (`answerRetry`) repeats a text as well. Repeated calls always end the send.
   */
  onText?: 'event' | 'end';
}

export const loopOptions = must.shape<LoopDetectionOptions>({
  calls: must.optional(must.nonNegative),
  cycle: must.optional(must.nonNegative),
  texts: must.optional(must.nonNegative),
  onText: must.optional(must.oneOf('event', 'end')),
});

/** Finds a cycle of calls. Arguments are the same if their JSON is, key order included. */
export class CallLoops {
  readonly #times: number;
  readonly #longest: number;
  #calls: string[] = [];

  constructor({ calls = 5, cycle = 5 }: LoopDetectionOptions = {}) {
    this.#times = calls;
    this.#longest = cycle;
  }

  /** Notes a call; true if it completes a cycle for the last time allowed, which starts the count anew. */
  add({ name, args }: Pick<ToolCall, 'name' | 'args'>): boolean {
    const kept = this.#times * this.#longest;
    this.#calls = [...this.#calls, `${name} ${JSON.stringify(args)}`].slice(-kept);
    for (let length = 1; length <= this.#longest; length++) {
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
const longestHistory = 5000;
// Repeats further apart than this, or with many different texts between them, are style, not a loop.
const longestGap = 5 * chunkLength;

const fence = /```/g;
// Lists, tables, headings, quotes and rules repeat by nature.
const markup = /(^|\n)\s*([*+-]\s|\d+\.\s|#+\s|>\s|\|.*\||[|+-]{3,})/;
const divider = /^[-+_=*\u2500-\u257F]+$/;

/** Finds text that comes again and again in a stream. */
class TextLoops {
  readonly #times: number;
  #text = '';
  #position = 0;
  #seen = new Map<string, number[]>();
  #inFence = false;
  readonly #json = new JsonInText();

  constructor({ texts = 10 }: LoopDetectionOptions = {}) {
    this.#times = texts;
  }

  /** Forgets what was said; after a call, for one. */
  reset(): void {
    this.#text = '';
    this.#position = 0;
    this.#seen.clear();
  }

  /** Notes a piece of text; true if it repeats once too often. */
  add(piece: string): boolean {
    return this.#json.split(piece).some((run) => this.#addRun(run));
  }

  // Each string of JSON stands for itself.
  #addRun({ kind, text }: Run): boolean {
    if (kind === 'prose') return this.#addProse(text);
    if (kind === 'string') return this.#addWords(text);
    if (text.includes('"')) this.reset();
    return false;
  }

  #addProse(piece: string): boolean {
    const fences = piece.match(fence)?.length ?? 0;
    const wasInFence = this.#inFence;
    if (fences % 2 === 1) this.#inFence = !this.#inFence;
    const ruled = divider.test(piece.trim());
    if (fences > 0 || ruled || markup.test(piece)) this.reset();
    return !wasInFence && !this.#inFence && !ruled && this.#addWords(piece);
  }

  #addWords(words: string): boolean {
    this.#text += words;
    this.#forgetOld();
    while (this.#position + chunkLength <= this.#text.length) {
      if (this.#isLoopAt(this.#position)) return true;
      this.#position++;
    }
    return false;
  }

  #forgetOld(): void {
    const surplus = this.#text.length - longestHistory;
    // Not for each piece: forgetting costs as much as all that is remembered.
    if (surplus <= longestHistory) return;
    this.#text = this.#text.slice(surplus);
    this.#position = Math.max(0, this.#position - surplus);
    for (const [chunk, at] of this.#seen) {
      const left = at.map((index) => index - surplus).filter((index) => index >= 0);
      if (left.length > 0) this.#seen.set(chunk, left);
      else this.#seen.delete(chunk);
    }
  }

  #isLoopAt(position: number): boolean {
    const chunk = this.#text.slice(position, position + chunkLength);
    const last = [...(this.#seen.get(chunk) ?? []), position].slice(-this.#times);
    this.#seen.set(chunk, last);
    const [first] = last;
    if (first === undefined || last.length < this.#times) return false;
    if ((position - first) / (last.length - 1) > longestGap) return false;
    const between = new Set(last.slice(1).map((end, index) => this.#text.slice(last[index], end)));
    return between.size <= this.#times / 2;
  }
}

/** Reads along with the answers of one send. */
export class TextWatch {
  readonly #options: LoopDetectionOptions | false;
  readonly #ends: boolean;
  #detections = 0;

  constructor(options: LoopDetectionOptions | false = {}) {
    this.#options = options;
    this.#ends = options !== false && options.onText === 'end';
  }

  /** Whether a loop that ends answers came back after the model was told. */
  get isSpent(): boolean {
    return this.#ends && this.#detections > 1;
  }

  /**
   * Passes an answer's events on. A text that repeats adds one `loop` event, or with `onText: 'end'` leaves the
   * stream with a GeminiError `answer.loop`.
   */
  async *over<Result>(events: AsyncGenerator<StreamEvent, Result, void>): Events<Result> {
    let loops = this.#options === false ? undefined : new TextLoops(this.#options);
    try {
      for (;;) {
        const { done, value } = await events.next();
        if (done) return value;
        if (value.type === 'functionCall') loops?.reset();
        const repeats = value.type === 'text' && loops?.add(value.text);
        yield value;
        if (!repeats) continue;
        const count = ++this.#detections;
        if (this.#ends) {
          throw new GeminiError('answer.loop', 'The answer repeats the same text again and again');
        }
        yield { type: 'loop', kind: 'text', count };
        // One event an answer is enough.
        loops = undefined;
      }
    } finally {
      // Cancels the stream; at its end it does nothing.
      await events.return(undefined as Result);
    }
  }
}
