// Holds the thread of a conversation. Each appended turn is stored and becomes an event; another thread can
// replace the current one.
import { dispose } from '../base/dispose.js';
import { TokenLearner } from './token-learner.js';
import type { ToolCall } from '../types/tool.js';
import type { Backend } from '../types/backend.js';
import type { JsonInput } from '../types/json.js';
import type { Manifest } from '../types/manifest.js';
import type { Strata } from '../types/strata.js';
import type { Thread, ThreadOptions, TurnMeta } from '../types/thread.js';
import { functionCallsIn, hasFunctionResponses, readContent, userText } from '../base/content.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { Journal, type OpenStep } from './journal.js';
import type { ConversationOptions } from './options.js';
import type { Events } from './event-queue.js';

/** Repairs what needs no guess, and checks only the sequence rules that the API itself enforces. */
const threadDefaults = { policy: 'repair', sequencing: 'api' } as const;

function clockOf({ now }: ConversationOptions): () => string {
  return now ?? (() => new Date().toISOString());
}

function threadOptions(options: ConversationOptions): ThreadOptions {
  const { model, backend = 'gemini', limits } = options;
  const now = clockOf(options)();
  return { model, backend, now, ...(limits && { limits }), ...threadDefaults };
}

/** The thread of a conversation, with the state that the next request needs. */
export class ConversationThread {
  readonly model: string;
  readonly backend: Backend;
  readonly journal: Journal;
  /** The manifest of the last request that was sent. */
  previous: Manifest | undefined;
  /** Estimates the tokens of turns that the API did not count. */
  readonly learner: TokenLearner;
  readonly #now: () => string;
  #thread: Thread;
  /** The conversation created the thread and must free it. */
  #ownsThread: boolean;
  #step: OpenStep | undefined;

  private constructor(
    strata: Strata,
    thread: Thread,
    journal: Journal,
    options: ConversationOptions,
  ) {
    const { model, backend = 'gemini' } = options;
    this.model = model;
    this.backend = backend;
    this.#now = clockOf(options);
    this.learner = new TokenLearner(strata, () => ({ model, backend, now: this.#now() }));
    this.journal = journal;
    this.#thread = thread;
    this.#ownsThread = thread !== options.thread;
  }

  /** Uses the caller's thread or creates one; stores nothing. */
  static create(strata: Strata, options: ConversationOptions): ConversationThread {
    const thread = options.thread ?? strata.thread(threadOptions(options));
    return new ConversationThread(strata, thread, new Journal(), options);
  }

  /** Loads the thread from a journal; if the journal is empty, uses the caller's or creates one. */
  static async load(
    strata: Strata,
    options: ConversationOptions,
    journal: Journal,
  ): Promise<ConversationThread> {
    const stored = await journal.load();
    const { thread: given } = options;
    const isNew = stored.turns === '';
    const from = isNew ? {} : { from: stored.turns };
    const thread =
      (isNew ? given : undefined) ?? strata.thread({ ...threadOptions(options), ...from });
    const live = new ConversationThread(strata, thread, journal, options);
    if (thread !== given) journal.attach(thread);
    live.previous = stored.manifest;
    live.#step = stored.step;
    return live;
  }

  get thread(): Thread {
    return this.#thread;
  }

  now(): string {
    return this.#now();
  }

  /** Replaces the thread and takes ownership; emits `thread` if it is a different one. */
  async *replace(thread: Thread): Events {
    if (thread === this.#thread) return;
    const before = this.#thread.length;
    this.free();
    this.#thread = thread;
    this.#ownsThread = true;
    await this.journal.sync(thread);
    yield { type: 'thread', turns: thread.length, before };
  }

  /** Frees the thread, unless it is the caller's. */
  free(): void {
    if (this.#ownsThread) this.#thread[dispose]();
  }

  /** Removes all turns after the first `length`. */
  async rewind(length: number): Promise<void> {
    this.#thread.rewind(length);
    this.#step = undefined;
    this.journal.invalidate();
    await this.journal.sync(this.#thread);
  }

  /** Appends and stores a turn, and yields its events. Throws HistoryError if the API would refuse it. */
  async *append(content: JsonInput, meta: TurnMeta = {}): Events {
    yield* await this.commit(content, meta);
  }

  /** Like `append`, but returns the events. */
  async commit(content: JsonInput, meta: TurnMeta = {}): Promise<ConversationEvent[]> {
    const events = this.appendNow(content, meta);
    await this.journal.sync(this.#thread);
    return events;
  }

  /** Appends a turn without waiting for the store, which gets it with the next `append`. */
  appendNow(content: JsonInput, meta: TurnMeta = {}): ConversationEvent[] {
    const tokens = meta.tokens ?? this.learner.estimate(content);
    const { diagnostics } = this.#thread.append(content, { at: this.now(), ...meta, tokens });
    this.#step = undefined;
    const index = this.#thread.length - 1;
    const turn = { type: 'turn', index, content: this.#thread.content(index) } as const;
    if (meta.tokens !== undefined) this.learner.learn(turn.content, meta.tokens);
    return diagnostics.length > 0 ? [turn, { type: 'diagnostics', diagnostics }] : [turn];
  }

  /** Returns the functionCalls of the last turn, which have no results yet. */
  openCalls(): ToolCall[] {
    const last = this.#lastTurn();
    return last ? functionCallsIn(readContent(last)) : [];
  }

  /** Returns what the store knows about those calls from before a crash. */
  openStep(): OpenStep | undefined {
    return this.#step;
  }

  /** Returns whether the last turn is the model's. */
  endsInAnswer(): boolean {
    const last = this.#lastTurn();
    return last !== undefined && readContent(last).role === 'model';
  }

  /** Returns whether the last turn holds tool results. */
  endsInResults(): boolean {
    const last = this.#lastTurn();
    return last !== undefined && hasFunctionResponses(last);
  }

  /** Returns the text of the last turn if it is a user turn of a single text. */
  unansweredText(): string | undefined {
    const last = this.#lastTurn();
    return last ? userText(last) : undefined;
  }

  #lastTurn(): Uint8Array | undefined {
    const { length } = this.#thread;
    return length > 0 ? this.#thread.content(length - 1) : undefined;
  }
}
