// Detects repeated text and repeated calls by counting; no model is asked. The defaults follow Gemini CLI,
// packages/core/src/services/loopDetectionService.ts.
import type { LoopDetectionOptions } from '../sdk/chat/plugin-options.js';
import type { CallRefusal, ConversationPlugin, PluginContext } from '../sdk/chat/plugin.js';
import { GeminiError } from '../sdk/internal/errors.js';
import type { ConversationEvent } from '../sdk/types/conversation-event.js';
import type { ToolCall } from '../sdk/types/tool.js';
import { Repeats } from './repeats.js';

/** Text outside JSON, JSON outside its strings, or the content of a JSON string. */
type Kind = 'prose' | 'json' | 'string';

/** A piece of text of one kind. */
interface Run {
  kind: Kind;
  text: string;
}

// Characters that JSON may have outside strings.
const structural = /[\s{}[\]",:\d.+\-Eaeflnrstu]/;

/**
 * Splits streamed text into prose, JSON and JSON strings without parsing, because rows of JSON repeat by nature. Finds JSON
 * in text: from a bracket that starts a line or follows other JSON, to the matching bracket.
 */
class JsonSplitter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #atLineStart = true;
  /** The preceding text was JSON, so more JSON may follow on the same line. */
  #followsJson = false;

  /** Splits the next piece of the text into runs. */
  split(piece: string): Run[] {
    if (this.#isOnlyProse(piece)) return [{ kind: 'prose', text: piece }];
    const runs: Run[] = [];
    let [begin, last] = [0, undefined as Kind | undefined];
    for (let index = 0; index < piece.length; index++) {
      const kind = this.#kindOf(piece.charAt(index));
      if (kind === last) continue;
      if (last) runs.push({ kind: last, text: piece.slice(begin, index) });
      [begin, last] = [index, kind];
    }
    return last ? [...runs, { kind: last, text: piece.slice(begin) }] : runs;
  }

  // Most text; the other way costs a call for each character.
  #isOnlyProse(piece: string): boolean {
    const mayBeJson = this.#depth > 0 || this.#inString || this.#followsJson;
    if (mayBeJson || piece === '' || /[{[]/.test(piece)) return false;
    const line = piece.slice(piece.lastIndexOf('\n') + 1);
    const startsLine = this.#atLineStart || line.length < piece.length;
    this.#atLineStart = startsLine && line.trim() === '';
    return true;
  }

  #kindOf(character: string): Kind {
    if (this.#inString) return this.#kindInString(character);
    if (this.#depth === 0) return this.#kindOutsideJson(character);
    if (!structural.test(character)) {
      // The bracket was part of prose.
      this.#depth = 0;
      this.#followsJson = false;
      this.#atLineStart = false;
      return 'prose';
    }
    this.#inString = character === '"';
    if (character === '{' || character === '[') this.#depth++;
    if (character === '}' || character === ']') this.#depth--;
    return 'json';
  }

  #kindInString(character: string): Kind {
    const ends = character === '"' && !this.#escaped;
    this.#escaped = character === '\\' && !this.#escaped;
    this.#inString = !ends;
    return ends ? 'json' : 'string';
  }

  #kindOutsideJson(character: string): Kind {
    if ((this.#atLineStart || this.#followsJson) && (character === '{' || character === '[')) {
      this.#depth = 1;
      this.#followsJson = true;
      return 'json';
    }
    if (this.#followsJson && /[\s,]/.test(character)) return 'json';
    this.#followsJson = false;
    this.#atLineStart = character === '\n' || (this.#atLineStart && /\s/.test(character));
    return 'prose';
  }
}

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
