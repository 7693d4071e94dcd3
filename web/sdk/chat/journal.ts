// Writes a conversation to its store line by line, so that it can be resumed after a crash between any two
// steps. Each step is a line in the store before the next one begins. Lines are only appended, until the
// thread is replaced or rewound. The core writes and reads the lines: src/thread/saved_form.h.
import { abortable, Watch } from '../internal/lifetime.js';
import type { CoreThread, StepResult, StoreMark } from '../types/core-objects.js';
import type { ConversationStore } from './store.js';
import type { PluginNotes } from './plugin.js';
import type { ToolResponse } from '../types/tool.js';

/** Writes one conversation to its store. Without a store, keeps stored results in memory. */
export class Journal {
  readonly #store: ConversationStore | undefined;
  readonly id: string;
  readonly notes: ConversationNotes;
  readonly #stored = new Map<string, Uint8Array>();
  /** What the store holds if every write succeeded: lines, and turns; undefined if the turns are to be replaced. */
  #lines = 0;
  /** A write has failed, but may have reached the store. */
  #isUncertain = false;
  #mark: StoreMark | undefined;
  /** The lines that were loaded, until it is known that all of them could be read. */
  #loaded: readonly string[] = [];
  /** What is stored before the first write. */
  #original: { name: string; bytes: Uint8Array } | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #watch: Watch | undefined;

  constructor(store?: ConversationStore, id = '') {
    this.#store = store;
    this.id = id;
    this.notes = new ConversationNotes(store !== undefined);
  }

  /** Returns the lines of the conversation in the store. */
  async load(): Promise<string[]> {
    const lines = (await this.#store?.read(this.id)) ?? [];
    this.#lines = lines.length;
    this.notes.load(lines);
    this.#loaded = lines;
    return lines;
  }

  /** Where the store has the conversation, for messages. */
  get place(): string {
    const place = this.#store?.placeOf?.(this.id);
    return `The stored conversation "${this.id}"${place === undefined ? '' : ` in ${place}`}`;
  }

  /** Makes the first write store the lines that were loaded under this name, because not all of them are turns. */
  keepOriginal(name: string): void {
    this.#original = { name, bytes: new TextEncoder().encode(`${this.#loaded.join('\n')}\n`) };
  }

  /** Declares which turns the loaded lines hold. */
  attach(mark: StoreMark): void {
    this.#mark = mark;
    this.#loaded = [];
  }

  /** Stops waiting for the store when `watch` aborts. A running write continues; the next one waits for it. */
  setWatch(watch: Watch | undefined): void {
    this.#watch = watch;
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

  /** Writes the notes that have changed. */
  syncNotes(): Promise<void> | undefined {
    const { notes } = this;
    const store = this.#store;
    if (!store || notes.changedLines.length === 0) return undefined;
    return this.#enqueue(async () => {
      const lines = notes.changedLines;
      if (lines.length === 0) return;
      await this.#put(store, this.#lines, lines);
      notes.settle(lines);
    });
  }

  async #write(thread: CoreThread, store: ConversationStore): Promise<void> {
    const { notes } = this;
    const { from, lines, ...mark } = thread.saveSince(this.#mark);
    const extend = this.#mark !== undefined && from === this.#mark.turns;
    const noted = extend ? notes.changedLines : notes.allLines;
    if (extend && lines.length + noted.length === 0) return;
    await this.#put(store, extend ? this.#lines : 0, [...lines, ...noted]);
    this.#mark = mark;
    notes.settle(noted);
  }

  // Lets the store refuse if somebody else has written the conversation. It has then written nothing.
  async #put(store: ConversationStore, at: number, lines: string[]): Promise<void> {
    const expected = this.#isUncertain ? undefined : this.#lines;
    if (this.#original) await store.store(this.id, this.#original.name, this.#original.bytes);
    this.#original = undefined;
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
      const noted = this.notes.allLines;
      const records = results.map(({ index, result }) => thread.record(index, result));
      await this.#put(store, 0, [...turns, ...noted, ...records]);
      this.#mark = mark;
      this.notes.settle(noted);
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
    return abortable(work, this.#watch?.signal);
  }
}

const start = '{"strata":1,"kind":"note","name":';

const lineOf = (name: string, json: string): string =>
  `${start}${JSON.stringify(name)},"value":${json}}`;

/** Returns whether a stored line is a note. */
export const isNote = (line: string): boolean => line.startsWith(start);

/** The notes of one conversation. A later line replaces an earlier one of the same name. */
export class ConversationNotes implements PluginNotes {
  readonly isStored: boolean;
  readonly #values = new Map<string, string>();
  readonly #changed = new Set<string>();

  constructor(isStored: boolean) {
    this.isStored = isStored;
  }

  /** Takes the notes among stored lines. A damaged one is left out. */
  load(lines: readonly string[]): void {
    for (const line of lines.filter(isNote)) {
      try {
        const { name, value } = JSON.parse(line) as { name: string; value: unknown };
        if (value !== undefined) this.#values.set(name, JSON.stringify(value));
      } catch {
        // What a note says can be found out again.
      }
    }
  }

  get(name: string): unknown {
    const json = this.#values.get(name);
    return json === undefined ? undefined : JSON.parse(json);
  }

  set(name: string, value: unknown): void {
    const json = JSON.stringify(value);
    if (this.#values.get(name) === json) return;
    this.#values.set(name, json);
    this.#changed.add(name);
  }

  /** The lines of the notes that changed since `settle`. */
  get changedLines(): string[] {
    return [...this.#changed].map((name) => lineOf(name, this.#values.get(name) ?? 'null'));
  }

  /** The lines of all notes. */
  get allLines(): string[] {
    return [...this.#values].map(([name, json]) => lineOf(name, json));
  }

  /** Takes note that these lines are stored. */
  settle(lines: readonly string[]): void {
    for (const [name, json] of this.#values)
      if (lines.includes(lineOf(name, json))) this.#changed.delete(name);
  }
}
