// Why this file exists: a conversation can be gone on with after a crash between any two steps. What
// happened is a line in the store before anything follows from it; lines are only ever added, until
// another thread takes the place of this one.
//
//     {"strata":1,"kind":"user",…}                        a turn, as Thread.save writes it
//     {"strata":1,"kind":"model",…}                       calls two tools
//     {"strata":1,"kind":"result","index":1,"result":{…}} the second has finished, the first still runs
//     {"strata":1,"kind":"tool",…}                        both results: the line before is history
import { abortable, Watch } from '../base/abort.js';
import type { ConversationStore } from '../stores/store.js';
import type { ToolResponse } from '../types/tool.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import { decodeUtf8 } from '../base/utf8.js';
import { readStored } from './stored-line.js';

/** What is known of calls whose step a crash interrupted, by their place in the answer. */
export interface OpenStep {
  results: Map<number, ToolResponse>;
  started: Set<number>;
}

/** A conversation as a store has it. */
export interface Loaded {
  /** The turns' lines, as `Strata.thread` takes them. */
  turns: string;
  step: OpenStep;
  /** Of the last answer. */
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
    const { index, result } = readStored(line);
    if (isStart(line)) step.started.add(index);
    else step.results.set(index, result);
  }
  return step;
}

/** The last of the first `turns` turns, as text. */
function newestOf(thread: Thread, turns: number): string | undefined {
  return turns > 0 ? decodeUtf8(thread.content(turns - 1)) : undefined;
}

/** Writes what happens in one conversation to its store; without a store, keeps results in memory. */
export class Journal {
  readonly #store: ConversationStore | undefined;
  readonly #id: string;
  readonly #kept = new Map<string, Uint8Array>();
  /** What the store holds, if all went well: lines, and turns of this thread. */
  #lines = 0;
  #turns = 0;
  #thread: Thread | undefined;
  /** The newest of those turns: another in its place means that turns were taken away. */
  #newest: string | undefined;
  #last: Promise<void> = Promise.resolve();
  #signal: AbortSignal | undefined;

  constructor(store?: ConversationStore, id = '') {
    this.#store = store;
    this.#id = id;
  }

  /** What the store holds. */
  async load(): Promise<Loaded> {
    const lines = (await this.#store?.read(this.#id)) ?? [];
    const turns = lines.filter(isTurn);
    const last = lines.findLastIndex(isTurn);
    const answer = turns.findLast(isAnswer);
    this.#lines = lines.length;
    this.#turns = turns.length;
    return {
      turns: turns.join('\n'),
      step: stepIn(lines.slice(last + 1)),
      manifest: answer === undefined ? undefined : readStored(answer).meta?.manifest,
    };
  }

  /** Says that the turns loaded, or none, are those of `thread`. */
  begin(thread: Thread): void {
    this.#thread = thread;
    this.#newest = newestOf(thread, this.#turns);
  }

  /** Ends every wait for the store when `signal` aborts. What was begun goes on: the next write waits for it. */
  until(signal: AbortSignal | undefined): void {
    this.#signal = signal;
  }

  /** Says that turns were taken away: the lines are written anew. */
  rewound(): void {
    this.#thread = undefined;
  }

  /** Brings the store up to the thread. What failed once is written by the next call. */
  async sync(thread: Thread): Promise<void> {
    if (this.#store) await this.#inOrder(() => this.#write(thread, this.#store));
  }

  /** The same, but waits at most `ms` milliseconds, and fails never: the next call writes what is left. */
  async syncWithin(ms: number, thread: Thread): Promise<void> {
    if (!this.#store) return;
    const grace = new Watch(undefined, ms, Error);
    await grace.wait(this.sync(thread)).catch(() => {});
  }

  async #write(thread: Thread, store: ConversationStore | undefined): Promise<void> {
    const same = this.#begins(thread);
    if (same && thread.length === this.#turns) return;
    const [line, turn] = same ? [this.#lines, this.#turns] : [0, 0];
    const saved = decodeUtf8(thread.save(turn));
    const lines = saved.split('\n').slice(0, -1);
    await store?.write(this.#id, line, lines);
    this.#thread = thread;
    this.#lines = line + lines.length;
    this.#turns = turn + lines.length;
    this.#newest = newestOf(thread, this.#turns);
  }

  /** Whether the thread begins with the turns that the store holds. */
  #begins(thread: Thread): boolean {
    if (thread !== this.#thread || thread.length < this.#turns) return false;
    return newestOf(thread, this.#turns) === this.#newest;
  }

  /** Notes that a call finished while others of its step still run. */
  async noteResult(index: number, result: ToolResponse): Promise<void> {
    await this.#note({ strata: 1, kind: 'result', index, result });
  }

  /** Notes that a call is about to run. */
  async noteStart(index: number): Promise<void> {
    await this.#note({ strata: 1, kind: 'started', index });
  }

  /** Keeps bytes beside the thread. */
  async store(name: string, bytes: Uint8Array): Promise<void> {
    if (this.#store) await this.#wait(this.#store.store(this.#id, name, bytes));
    else this.#kept.set(name, bytes.slice());
  }

  /** What was kept under this name. */
  async readStored(name: string): Promise<Uint8Array | undefined> {
    return this.#store ? this.#wait(this.#store.readStored(this.#id, name)) : this.#kept.get(name);
  }

  async #note(value: object): Promise<void> {
    await this.#inOrder(async () => {
      await this.#store?.write(this.#id, this.#lines, [JSON.stringify(value)]);
      this.#lines++;
    });
  }

  // Results come together, but each needs a line of its own. A write that failed may have happened: the
  // next one goes to the same place.
  #inOrder(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => {});
    return this.#wait(next);
  }

  #wait<Result>(work: Promise<Result>): Promise<Result> {
    return abortable(work, this.#signal);
  }
}
