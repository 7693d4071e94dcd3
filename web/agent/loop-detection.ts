// Detects repeated text by counting; no model is asked. The defaults follow Gemini CLI,
// packages/core/src/services/loopDetectionService.ts.
import { GeminiError } from '../sdk/internal/errors.js';
import * as must from '../sdk/internal/options.js';
import type { AnswerEvent } from '../sdk/types/response.js';
import type { ConversationEvent } from '../sdk/types/conversation-event.js';
import { JsonSplitter, type Run } from './json-in-text.js';
import { Repeats } from './repeats.js';

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

/** @internal */
export const loopOptions = must.shape<LoopDetectionOptions>({
  calls: must.optional(must.nonNegative),
  cycle: must.optional(must.nonNegative),
  texts: must.optional(must.nonNegative),
  onText: must.optional(must.oneOf('event', 'end')),
});

const codeFence = /```/g;
// Lists, tables, headings, quotes and rules repeat by nature.
const markup = /(^|\n)\s*([*+-]\s|\d+\.\s|#+\s|>\s|\|.*\||[|+-]{3,})/;
const divider = /^\s*[-+_=*\u2500-\u257F]+\s*$/;

/** Detects text that repeats within a stream. */
class TextLoopDetector {
  readonly #repeats: Repeats;
  #inFence = false;
  readonly #json = new JsonSplitter();

  constructor({ texts = 10 }: LoopDetectionOptions = {}) {
    this.#repeats = new Repeats(texts);
  }

  /** Forgets the text so far, for example after a call. */
  reset(): void {
    this.#repeats.reset();
  }

  /** Adds a piece of text. Returns true if it completes a loop. */
  add(piece: string): boolean {
    return this.#json.split(piece).some((run) => this.#addRun(run));
  }

  // Strings of JSON are compared like prose; the syntax around them separates them.
  #addRun({ kind, text }: Run): boolean {
    if (kind === 'prose') return this.#addProse(text);
    if (kind === 'string') return this.#repeats.add(text);
    if (text.includes('"')) this.reset();
    return false;
  }

  #addProse(piece: string): boolean {
    const fences = piece.match(codeFence)?.length ?? 0;
    const wasInFence = this.#inFence;
    if (fences % 2 === 1) this.#inFence = !this.#inFence;
    const isDivider = divider.test(piece);
    if (fences > 0 || isDivider || markup.test(piece)) this.reset();
    return !wasInFence && !this.#inFence && !isDivider && this.#repeats.add(piece);
  }
}

/** The events of one read, with a `loop` event after repeated text, and the error that ends the answer then. */
interface WatchedEvents {
  seen: ConversationEvent[];
  error?: GeminiError;
}

/**
 * Watches the streamed answers of one send for repeated text.
 *
 * @internal
 */
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

  /** Starts an answer. Returns a function that takes the events of each read. */
  start(): (events: AnswerEvent[]) => WatchedEvents {
    let detector = this.#options === false ? undefined : new TextLoopDetector(this.#options);
    return (events) => {
      let index = -1;
      for (const event of events) {
        index++;
        if (event.type === 'functionCall') detector?.reset();
        if (event.type !== 'text' || !detector?.add(event.text)) continue;
        // One event per answer.
        detector = undefined;
        const count = ++this.#detections;
        const seen = events.slice(0, index + 1);
        if (this.#ends) {
          return {
            seen,
            error: new GeminiError('answer.loop', 'The answer repeats the same text'),
          };
        }
        return {
          seen: [...seen, { type: 'loop', kind: 'text', count }, ...events.slice(index + 1)],
        };
      }
      return { seen: events };
    };
  }
}
