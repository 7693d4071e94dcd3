// Writes a conversation to its store line by line, so that it can be resumed after a crash between any two
// steps. Each step is a line in the store before the next one begins. Lines are only appended, until the
// thread is replaced or rewound.
//
//     {"strata":1,"kind":"user",…}                        a turn, as Thread.save writes it
//     {"strata":1,"kind":"model",…}                       calls two tools
//     {"strata":1,"kind":"result","index":1,"result":{…}} the second call has finished, the first is running
//     {"strata":1,"kind":"tool",…}                        both results; the result line is obsolete
import { abortable, Watch } from '../base/abort.js';
import type { ConversationStore } from '../stores/store.js';
import type { ToolResponse } from '../types/tool.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import { decodeUtf8 } from '../base/utf8.js';
import { parseStoredLine } from './stored-line.js';

/** What the store knows about calls that a crash interrupted, by their index in the answer. */
export interface OpenStep {
  results: Map<number, ToolResponse>;
  started: Set<number>;
}

/** A conversation as loaded from a store. */
export interface StoredConversation {
  /** The lines of the turns, in the form that `Strata.thread` takes. */
  turns: string;
  step: OpenStep;
  /** The manifest of the last answer. */
  manifest: Manifest | undefined;
}

const isResult = (line: string) => line.startsWith('{"strata":1,"kind":"result"');
const isStart = (line: string) => line.startsWith('{"strata":1,"kind":"started"');
const isTurn = (line: string) => !isResult(line) && !isStart(line);
const isAnswer = (line: string) => line.startsWith('{"strata":1,"kind":"model"');

const emptyStep = (): OpenStep => ({ results: new Map(), started: new Set() });

function stepIn(lines: string[]): OpenStep {
  const step = emptyStep();
  for (const line of lines) {
    const { index, result } = parseStoredLine(line);
    if (isStart(line)) step.started.add(index);
    else step.results.set(index, result);
  }
  return step;
}

/** Returns turn number `turns` (from 1) as text; undefined for 0. */
function turnText(thread: Thread, turns: number): string | undefined {
  return turns > 0 ? decodeUtf8(thread.content(turns - 1)) : undefined;
}

/** Writes one conversation to its store. Without a store, keeps stored results in memory. */
export class Journal {
  readonly #store: ConversationStore | undefined;
  readonly #id: string;
  readonly #stored = new Map<string, Uint8Array>();
  /** What the store holds if every write succeeded: lines, and turns of `#thread`. */
  #lines = 0;
  #turns = 0;
  #thread: Thread | undefined;
  /** The last stored turn. A different turn at its index means that the thread was rewound. */
  #lastTurn: string | undefined;
  #lastWrite: Promise<void> = Promise.resolve();
  #signal: AbortSignal | undefined;

  constructor(store?: ConversationStore, id = '') {
    this.#store = store;
    this.#id = id;
  }

  /** Loads the conversation from the store; empty without one. */
  async load(): Promise<StoredConversation> {
    const lines = (await this.#store?.read(this.#id)) ?? [];
    const turns = lines.filter(isTurn);
    const last = lines.findLastIndex(isTurn);
    const answer = turns.findLast(isAnswer);
    this.#lines = lines.length;
    this.#turns = turns.length;
    return {
      turns: turns.join('\n'),
      step: stepIn(lines.slice(last + 1)),
      manifest: answer === undefined ? undefined : parseStoredLine(answer).meta?.manifest,
    };
  }

  /** Declares that `thread` consists of the loaded turns. */
  attach(thread: Thread): void {
    this.#thread = thread;
    this.#lastTurn = turnText(thread, this.#turns);
  }

  /** Stops waiting for the store when `signal` aborts. A running write continues; the next one waits for it. */
  setSignal(signal: AbortSignal | undefined): void {
    this.#signal = signal;
  }

  /** Makes the next `sync` rewrite all lines, because turns were removed. */
  invalidate(): void {
    this.#thread = undefined;
  }

  /** Writes the turns that the store does not have yet. After a failure the next call writes them. */
  async sync(thread: Thread): Promise<void> {
    if (this.#store) await this.#enqueue(() => this.#write(thread, this.#store));
  }

  /** Like `sync`, but waits at most `ms` milliseconds and never rejects. */
  async syncWithin(ms: number, thread: Thread): Promise<void> {
    if (!this.#store) return;
    const grace = new Watch(undefined, ms, Error);
    await grace.wait(this.sync(thread)).catch(() => {});
  }

  async #write(thread: Thread, store: ConversationStore | undefined): Promise<void> {
    const same = this.#extendsStored(thread);
    if (same && thread.length === this.#turns) return;
    const [line, turn] = same ? [this.#lines, this.#turns] : [0, 0];
    const saved = decodeUtf8(thread.save(turn));
    const lines = saved.split('\n').slice(0, -1);
    await store?.write(this.#id, line, lines);
    this.#thread = thread;
    this.#lines = line + lines.length;
    this.#turns = turn + lines.length;
    this.#lastTurn = turnText(thread, this.#turns);
  }

  /** Returns whether the thread starts with the turns that the store holds. */
  #extendsStored(thread: Thread): boolean {
    if (thread !== this.#thread || thread.length < this.#turns) return false;
    return turnText(thread, this.#turns) === this.#lastTurn;
  }

  /** Records the result of a call while other calls of its step still run. */
  async recordResult(index: number, result: ToolResponse): Promise<void> {
    await this.#appendRecord({ strata: 1, kind: 'result', index, result });
  }

  /** Records that a call is about to run. */
  async recordStart(index: number): Promise<void> {
    await this.#appendRecord({ strata: 1, kind: 'started', index });
  }

  /** Stores bytes next to the thread. */
  async store(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#store) await this.#abortable(this.#store.store(this.#id, name, bytes));
    else this.#stored.set(name, bytes.slice());
  }

  /** Returns the bytes stored under this name. */
  async readStored(name: string): Promise<Uint8Array | undefined> {
    return this.#store
      ? this.#abortable(this.#store.readStored(this.#id, name))
      : this.#stored.get(name);
  }

  async #appendRecord(value: object): Promise<void> {
    await this.#enqueue(async () => {
      await this.#store?.write(this.#id, this.#lines, [JSON.stringify(value)]);
      this.#lines++;
    });
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
