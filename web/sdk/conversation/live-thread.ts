// Why this file exists: the thread of a conversation while it is used: what enters it becomes an event, and
// another thread can take its place.
import type { ToolCall } from '../tools/toolbox.js';
import type { Backend, JsonInput, Manifest, Strata, Thread, TurnMeta } from '../types.js';
import { callsOf, userText } from './contents.js';
import type { ConversationEvent } from './events.js';
import type { ConversationOptions } from './options.js';

/** A conversation's thread, with what the next request must know of the last one. */
export class LiveThread {
  readonly model: string;
  readonly backend: Backend;
  /** Of the last request that was sent. */
  previous: Manifest | undefined;
  readonly #now: () => string;
  #thread: Thread;

  constructor(strata: Strata, options: ConversationOptions) {
    const { model, backend = 'gemini' } = options;
    this.model = model;
    this.backend = backend;
    this.#now = options.now ?? (() => new Date().toISOString());
    this.#thread = options.thread ?? strata.thread({ model, backend, sequencing: 'api' });
  }

  get thread(): Thread {
    return this.#thread;
  }

  now(): string {
    return this.#now();
  }

  /** Goes on with `thread`; tells so if it is another one. */
  replace(thread: Thread): ConversationEvent[] {
    if (thread === this.#thread) return [];
    const turns = this.#thread.length;
    this.#thread = thread;
    return [{ type: 'thread', turns: thread.length, before: turns }];
  }

  /** Adds one turn. Throws HistoryError for one that the API would refuse. */
  append(content: JsonInput, meta: TurnMeta = {}): ConversationEvent[] {
    const { diagnostics } = this.#thread.append(content, { at: this.now(), ...meta });
    const index = this.#thread.length - 1;
    const turn: ConversationEvent = { type: 'turn', index, content: this.#thread.content(index) };
    return diagnostics.length > 0 ? [turn, { type: 'diagnostics', diagnostics }] : [turn];
  }

  /** The calls at the end that have no result yet. */
  openCalls(): ToolCall[] {
    const last = this.#last();
    return last ? callsOf(last) : [];
  }

  /** The text at the end that has no answer yet. */
  unansweredText(): string | undefined {
    const last = this.#last();
    return last ? userText(last) : undefined;
  }

  #last(): Uint8Array | undefined {
    const { length } = this.#thread;
    return length > 0 ? this.#thread.content(length - 1) : undefined;
  }
}
