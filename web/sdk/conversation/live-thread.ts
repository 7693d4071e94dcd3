// Why this file exists: the thread of a conversation while it is used: what enters it becomes an event and a
// line in the store, and another thread can take its place.
import { dispose } from '../base/dispose.js';
import { TokenLearner } from './token-learner.js';
import type { ToolCall } from '../types/tool.js';
import type { Backend } from '../types/backend.js';
import type { JsonInput } from '../types/json.js';
import type { Manifest } from '../types/manifest.js';
import type { Strata } from '../types/strata.js';
import type { Thread, TurnMeta } from '../types/thread.js';
import { callsIn, hasResults, readContent, userText } from '../base/content.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { Journal, type Loaded, type OpenStep } from './journal.js';
import type { ConversationOptions } from './options.js';
import type { Events } from './event-queue.js';

/** What streams send is mended where no guess is needed, and the API's own order is enough. */
const opened = { policy: 'repair', sequencing: 'api' } as const;

/** A conversation's thread, with what the next request must know of the last one. */
export class LiveThread {
  readonly model: string;
  readonly backend: Backend;
  readonly journal: Journal;
  /** Of the last request that was sent. */
  previous: Manifest | undefined;
  /** What turns count that the API did not count. */
  readonly learner: TokenLearner;
  readonly #now: () => string;
  #thread: Thread;
  /** The thread is the conversation's own, not the caller's. */
  #isOwn: boolean;
  #step: OpenStep | undefined;

  private constructor(
    strata: Strata,
    thread: Thread,
    journal: Journal,
    options: ConversationOptions,
  ) {
    const { model, backend = 'gemini', now } = options;
    this.model = model;
    this.backend = backend;
    this.learner = new TokenLearner(strata, model);
    this.journal = journal;
    this.#now = now ?? (() => new Date().toISOString());
    this.#thread = thread;
    this.#isOwn = thread !== options.thread;
  }

  /** A thread of its own, or the caller's; nothing is stored. */
  static begin(strata: Strata, options: ConversationOptions): LiveThread {
    const { model, backend = 'gemini' } = options;
    const thread = options.thread ?? strata.thread({ model, backend, ...opened });
    return new LiveThread(strata, thread, new Journal(), options);
  }

  /** The thread that a journal has; if it has none, as `begin`. */
  static async load(
    strata: Strata,
    options: ConversationOptions,
    journal: Journal,
  ): Promise<LiveThread> {
    const loaded: Loaded = await journal.load();
    const { model, backend = 'gemini', thread: given } = options;
    const isNew = loaded.turns === '';
    const from = isNew ? {} : { from: loaded.turns };
    const thread =
      (isNew ? given : undefined) ?? strata.thread({ model, backend, ...opened, ...from });
    const live = new LiveThread(strata, thread, journal, options);
    if (thread !== given) journal.begin(thread);
    live.previous = loaded.manifest;
    live.#step = loaded.step;
    return live;
  }

  get thread(): Thread {
    return this.#thread;
  }

  now(): string {
    return this.#now();
  }

  /** Goes on with `thread`, the conversation's own from now on; tells so if it is another one. */
  async *replace(thread: Thread): Events {
    if (thread === this.#thread) return;
    const before = this.#thread.length;
    this.free();
    this.#thread = thread;
    this.#isOwn = true;
    await this.journal.sync(thread);
    yield { type: 'thread', turns: thread.length, before };
  }

  /** Frees the thread, unless it is the caller's. */
  free(): void {
    if (this.#isOwn) this.#thread[dispose]();
  }

  /** Takes turns away. */
  async rewind(length: number): Promise<void> {
    this.#thread.rewind(length);
    this.#step = undefined;
    this.journal.rewound();
    await this.journal.sync(this.#thread);
  }

  /** Adds one turn, in the store as well. Throws HistoryError for one that the API would refuse. */
  async *append(content: JsonInput, meta: TurnMeta = {}): Events {
    yield* await this.enter(content, meta);
  }

  /** The same; gives its events. */
  async enter(content: JsonInput, meta: TurnMeta = {}): Promise<ConversationEvent[]> {
    const events = this.appendNow(content, meta);
    await this.journal.sync(this.#thread);
    return events;
  }

  /** Adds one turn; the store gets it with the next `append`. */
  appendNow(content: JsonInput, meta: TurnMeta = {}): ConversationEvent[] {
    const tokens = meta.tokens ?? this.learner.estimate(content);
    const { diagnostics } = this.#thread.append(content, { at: this.now(), ...meta, tokens });
    this.#step = undefined;
    const index = this.#thread.length - 1;
    const turn = { type: 'turn', index, content: this.#thread.content(index) } as const;
    if (meta.tokens !== undefined) this.learner.learn(turn.content, meta.tokens);
    return diagnostics.length > 0 ? [turn, { type: 'diagnostics', diagnostics }] : [turn];
  }

  /** The calls at the end that have no result yet. */
  openCalls(): ToolCall[] {
    const last = this.#last();
    return last ? callsIn(readContent(last)) : [];
  }

  /** What the store knows of those calls, from before a crash. */
  openStep(): OpenStep | undefined {
    return this.#step;
  }

  /** Whether the model has the last word. */
  endsInAnswer(): boolean {
    const last = this.#last();
    return last !== undefined && readContent(last).role === 'model';
  }

  /** Whether the model has tool results to answer. */
  endsInResults(): boolean {
    const last = this.#last();
    return last !== undefined && hasResults(last);
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
