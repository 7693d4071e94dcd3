// Detects repeated text and repeated calls by counting; no model is asked. The defaults follow Gemini CLI,
// packages/core/src/services/loopDetectionService.ts.
import type { LoopDetectionOptions } from '../sdk/chat/plugin-options.js';
import type { CallRefusal, ConversationPlugin, PluginContext } from '../sdk/chat/plugin.js';
import { GeminiError } from '../sdk/internal/errors.js';
import type { ConversationEvent } from '../sdk/types/conversation-event.js';
import type { ToolCall } from '../sdk/types/tool.js';
import { JsonSplitter, type Run } from './json-in-text.js';
import { Repeats } from './repeats.js';

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

/** Detects cycles of calls. Arguments are equal if their JSON is, including the order of keys. */
class CallLoopDetector {
  readonly #times: number;
  readonly #maxCycle: number;
  #calls: string[] = [];

  constructor({ calls = 5, cycle = 5 }: LoopDetectionOptions = {}) {
    this.#times = calls;
    this.#maxCycle = cycle;
  }

  /** Counts a call. Returns true, and resets the count, if it completes the last allowed cycle. */
  add({ name, args }: ToolCall): boolean {
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

const refusal =
  'Not run: the same calls come again and again. Do something else, or say what is missing.';

/** The plugin that detects loops. It counts those of one send. */
export class LoopPlugin implements ConversationPlugin {
  readonly name = 'loopDetection';
  readonly #options: LoopDetectionOptions;
  #calls: CallLoopDetector;
  #callLoops = 0;
  /** That of the current answer, until it has found a loop. */
  #texts: TextLoopDetector | undefined;
  #textLoops = 0;

  constructor(options: LoopDetectionOptions) {
    this.#options = options;
    this.#calls = new CallLoopDetector(options);
  }

  onStart(earlier: readonly ToolCall[][]): void {
    this.#calls = new CallLoopDetector(this.#options);
    this.#callLoops = this.#textLoops = 0;
    for (const calls of earlier) if (this.#completesLoop(calls)) this.#callLoops++;
  }

  beforeSend(): void {
    this.#texts = new TextLoopDetector(this.#options);
  }

  onEvents(
    events: readonly ConversationEvent[],
    { emit }: PluginContext,
  ): readonly ConversationEvent[] | void {
    const end = events.findIndex((event) => this.#endsLoop(event)) + 1;
    if (end === 0) return undefined;
    this.#texts = undefined;
    this.#textLoops++;
    const seen = events.slice(0, end);
    if (this.#options.onText === 'end') {
      seen.forEach(emit);
      throw new GeminiError('answer.loop', 'The answer repeats the same text');
    }
    return [...seen, { type: 'loop', kind: 'text', count: this.#textLoops }, ...events.slice(end)];
  }

  // After the first loop the model gets another turn with the reason; the second one ends the send.
  beforeCalls(calls: ToolCall[]): CallRefusal | undefined {
    if (!this.#completesLoop(calls)) return undefined;
    const count = ++this.#callLoops;
    const event = { type: 'loop', kind: 'calls', calls, count } as const;
    return { error: refusal, event, ...(count > 1 && { finishReason: 'TOOL_CALL_LOOP' }) };
  }

  // Counts every call, also those after one that completes a cycle.
  #completesLoop(calls: readonly ToolCall[]): boolean {
    return calls.filter((call) => this.#calls.add(call)).length > 0;
  }

  #endsLoop(event: ConversationEvent): boolean | undefined {
    if (event.type === 'functionCall') this.#texts?.reset();
    return event.type === 'text' && this.#texts?.add(event.text);
  }
}
