// Writes a conversation to its store line by line, so that it can be resumed after a crash between any two
// steps. Each step is a line in the store before the next one begins. Lines are only appended, until the
// thread is replaced or rewound. The core writes and reads the lines: src/thread/saved_form.h.
import { abortable, Watch } from '../base/abort.js';
import type { ConversationStore } from '../stores/store.js';
import type { CoreThread, StepResult, StoreMark } from '../types/core-thread.js';
import type { ToolResponse } from '../types/tool.js';

/** Writes one conversation to its store. Without a store, keeps stored results in memory. */
export class Journal {
  readonly #store: ConversationStore | undefined;
  readonly id: string;
  readonly #stored = new Map<string, Uint8Array>();
  /** What the store holds if every write succeeded: lines, and turns; undefined if the turns are to be replaced. */
  #lines = 0;
  /** A write has failed, but may have reached the store. */
  #isUncertain = false;
  #mark: StoreMark | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #signal: AbortSignal | undefined;

  constructor(store?: ConversationStore, id = '') {
    this.#store = store;
    this.id = id;
  }

  /** Returns the lines of the conversation in the store, as `Strata.thread` takes them. */
  async load(): Promise<string> {
    const lines = (await this.#store?.read(this.id)) ?? [];
    this.#lines = lines.length;
    return lines.join('\n');
  }

  /** Declares which turns the loaded lines hold. */
  attach(mark: StoreMark): void {
    this.#mark = mark;
  }

  /** Stops waiting for the store when `signal` aborts. A running write continues; the next one waits for it. */
  setSignal(signal: AbortSignal | undefined): void {
    this.#signal = signal;
  }

  /** Makes the next `sync` rewrite all lines, because turns were removed. */
  invalidate(): void {
    this.#mark = undefined;
  }

  /** Writes the turns that the store does not have yet. After a failure the next call writes them. */
  sync(thread: CoreThread): Promise<void> | undefined {
    const store = this.#store;
    return store && this.#enqueue(() => this.#write(thread, store));
  }

  /** Like `sync`, but waits at most `ms` milliseconds and never rejects. */
  async syncWithin(ms: number, thread: CoreThread): Promise<void> {
    if (!this.#store) return;
    const grace = new Watch(undefined, ms, Error);
    await grace.waitLast(Promise.resolve(this.sync(thread))).catch(() => {});
  }

  async #write(thread: CoreThread, store: ConversationStore): Promise<void> {
    const { from, lines, ...mark } = thread.saveSince(this.#mark);
    const extend = this.#mark !== undefined && from === this.#mark.turns;
    if (extend && lines.length === 0) return;
    await this.#put(store, extend ? this.#lines : 0, lines);
    this.#mark = mark;
  }

  // Lets the store refuse if somebody else has written the conversation. It has then written nothing.
  async #put(store: ConversationStore, at: number, lines: string[]): Promise<void> {
    const expected = this.#isUncertain ? undefined : this.#lines;
    try {
      await store.write(this.id, at, lines, expected);
    } catch (error) {
      this.#isUncertain ||= Object(error).code !== 'store.conflict';
      throw error;
    }
    this.#isUncertain = false;
    this.#lines = at + lines.length;
  }

  /** Records the response of a call while other calls of its step still run, or that the call is about to run. */
  record(thread: CoreThread, call: number, response?: ToolResponse): Promise<void> {
    const store = this.#store;
    if (!store) return this.#abortable(Promise.resolve());
    return this.#enqueue(async () => {
      await this.#put(store, this.#lines, [thread.record(call, response)]);
    });
  }

  /** Rewrites all lines in one write, with these responses as the only records of the open step. */
  rewriteStep(thread: CoreThread, results: readonly StepResult[]): Promise<void> | undefined {
    const store = this.#store;
    if (!store) return undefined;
    return this.#enqueue(async () => {
      const { from: _, lines: turns, ...mark } = thread.saveSince(undefined);
      const lines = [...turns, ...results.map(({ index, result }) => thread.record(index, result))];
      await this.#put(store, 0, lines);
      this.#mark = mark;
    });
  }

  /** Stores bytes next to the thread. */
  async store(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#store) await this.#abortable(this.#store.store(this.id, name, bytes));
    else this.#stored.set(name, bytes.slice());
  }

  /** Returns the bytes stored under this name. */
  async readStored(name: string): Promise<Uint8Array | undefined> {
    return this.#store
      ? this.#abortable(this.#store.readStored(this.id, name))
      : this.#stored.get(name);
  }

  // Calls may finish at the same time, but lines are written one after the other. A failed write may have
  // reached the store, so the next one starts at the same line.
  #enqueue(work: () => Promise<void>): Promise<void> {
    const next = this.#lastWrite.then(work);
    this.#lastWrite = next.catch(() => {});
    return this.#abortable(next);
  }

  #abortable<Result>(work: Promise<Result>): Promise<Result> {
    return abortable(work, this.#signal);
  }
}
