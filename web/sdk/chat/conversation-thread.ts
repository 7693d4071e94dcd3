// Holds the thread of a conversation. Each appended turn is stored and becomes an event; another thread can
// replace the current one.
import { decodeUtf8 } from '../internal/bytes.js';
import { dispose } from '../internal/lifetime.js';
import { invalidOption } from '../internal/options.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import type { CoreResponse, CoreThread, StepResult, StoredState } from '../types/core-objects.js';
import type { Backend } from '../types/model.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Removal } from '../types/compaction.js';
import type { AssembleInput } from '../types/assemble.js';
import type { Wire } from '../types/wire.js';
import type { Imported } from '../types/import.js';
import type { JsonInput } from '../types/json.js';
import type { Manifest } from '../types/manifest.js';
import type { Strata } from '../types/strata.js';
import type { AppendOptions, Thread, ThreadOptions, TurnMeta } from '../types/thread.js';
import type { ToolResponse } from '../types/tool.js';
import { Journal, isNote } from './journal.js';
import type { ConversationOptions } from './options.js';
import { backgroundNote, type Kept } from './background-note.js';

const removedNote = 'removed';
const stateNote = 'interaction';

// Only conversations whose interactions Google keeps need it.
const loadInteractions = () => import('./kept-interactions.js');

// Repairs what needs no guess, and checks only the sequence rules that the API itself enforces.
const threadDefaults = { policy: 'repair', sequencing: 'api' } as const;

function coreThread(thread: Thread): CoreThread {
  if (typeof Object(thread).appendTurn === 'function') return thread as CoreThread;
  throw invalidOption('/thread', 'a thread of Strata.thread');
}

// A path such as `models/` before the name names the same model.
const named = ({ model, backend }: CoreThread['service']) =>
  `${model.slice(model.lastIndexOf('/') + 1)} (${backend})`;

// A thread checks the rules of the model that it was created for.
function checkService(thread: CoreThread, service: CoreThread['service']): void {
  const [own, given] = [named(service), named(thread.service)];
  if (own !== given) throw invalidOption('/thread', `a thread for ${own}, not for ${given}`);
}

/** Returns the clock of a conversation, which returns the time as RFC 3339. */
export function clockOf({ now }: ConversationOptions): () => string {
  return now ?? (() => new Date().toISOString());
}

function threadOptions(options: ConversationOptions): ThreadOptions {
  const { model, backend = 'gemini', limits } = options;
  const now = clockOf(options)();
  return { model, backend, now, ...(limits && { limits }), ...threadDefaults };
}

/** Opens the turns that the options have, if any. */
export function givenThread(strata: Strata, options: ConversationOptions): Thread {
  const { thread, history } = options;
  if (thread) return thread;
  return strata.thread({ ...threadOptions(options), ...(history != null && { from: history }) });
}

/** Returns the result that came for a paused call, by the index of the last turn and of the call in its step. */
export type LaterResult = (turn: number, call: number) => ToolResponse | undefined;

/** The thread of a conversation, with the state that the next request needs. */
export class ConversationThread {
  readonly backend: Backend;
  readonly journal: Journal;
  /** The text of the system messages of the option `history`, which are no turns and which no store has. */
  systemText = '';
  #found: Diagnostic[] = [];
  #usesHistory = false;
  #model: string;
  readonly #strata: Strata;
  readonly #options: ConversationOptions;
  /** What was left out of a damaged store. */
  damage: readonly Diagnostic[] = [];
  /** Which API the next requests are for. */
  wire: Wire;
  /** The stored interaction that has the first `turns` turns, of which the last is its answer. */
  #state: { id: string; turns: number; answer: string } | undefined;
  /** The manifest of the last request that was sent. */
  previous: Manifest | undefined;
  /** Returns the current time. */
  readonly now: () => string;
  /** Whether somebody reads the events of the current send, and may ask for the bytes of its turns later. */
  hasReader = true;
  /** Finds results of paused calls that no send has taken yet. */
  laterResult: LaterResult = () => undefined;
  #thread: CoreThread;
  /** The conversation created the thread and must free it. */
  #ownsThread: boolean;
  /** What the store knows about the open calls from before a crash. */
  #step: StoredState['step'];

  private constructor(
    strata: Strata,
    thread: Thread,
    journal: Journal,
    options: ConversationOptions,
  ) {
    const { model, backend = 'gemini' } = options;
    this.#strata = strata;
    this.#options = options;
    this.#model = model;
    this.wire = options.wire ?? 'generateContent';
    this.backend = backend;
    this.journal = journal;
    this.now = clockOf(options);
    this.#thread = coreThread(thread);
    this.#ownsThread = thread !== options.thread;
    checkService(this.#thread, this);
  }

  /** Uses the caller's thread or creates one; stores nothing. */
  static create(strata: Strata, options: ConversationOptions): ConversationThread {
    return new ConversationThread(strata, givenThread(strata, options), new Journal(), options);
  }

  /** Loads the thread from a journal; if the journal is empty, uses the caller's or creates one. */
  static async load(
    strata: Strata,
    options: ConversationOptions,
    journal: Journal,
    damaged?: 'salvage',
  ): Promise<ConversationThread> {
    const lines = await journal.load();
    // A conversation may have notes before its first turn.
    if (lines.every((line) => line.trim() === '' || isNote(line))) {
      // The store gets these turns with the first send.
      const thread = givenThread(strata, options);
      const live = new ConversationThread(strata, thread, journal, options);
      live.#usesHistory = true;
      const { mark } = live.#thread.stored ?? {};
      if (mark?.turns === 0) journal.attach(mark);
      return live;
    }
    const { openLines } = await import('./stored-lines.js');
    const opening = threadOptions(options);
    const { thread, diagnostics } = openLines(strata, opening, journal, lines, damaged);
    const live = new ConversationThread(strata, thread, journal, options);
    const { mark, manifest, step } = live.#thread.stored ?? {};
    if (mark && diagnostics.length === 0) journal.attach(mark);
    live.damage = diagnostics;
    live.#found = [...diagnostics];
    live.previous = manifest;
    live.#step = step;
    if (options.state === 'server' && mark && diagnostics.length === 0)
      live.#state = await (await loadInteractions()).keptInteraction(live, stateNote);
    return live;
  }

  get thread(): CoreThread {
    return this.#thread;
  }

  get model(): string {
    return this.#model;
  }

  /** Returns and clears what the import of `history` has changed, or what a damaged store lacks. */
  takeDiagnostics(): Diagnostic[] {
    return this.#found.splice(0);
  }

  /** Keeps what the conversion of the option `history` has found besides its turns. */
  noteImport({ systemText, diagnostics }: Pick<Imported, 'systemText' | 'diagnostics'>): void {
    this.systemText = systemText;
    this.#found = [...diagnostics];
  }

  /** Takes over what the conversation has noted before it was loaded: diagnostics only if no stored turns replace it. */
  takeImport(before: ConversationThread): void {
    this.systemText ||= before.systemText;
    if (this.#usesHistory) this.#found.push(...before.#found);
  }

  /** Returns the input of the next request that the other API needs, if it is for that. */
  wireInput(background = false): Partial<AssembleInput> | undefined {
    if (this.wire === 'generateContent') return undefined;
    const { state, agent, agentConfig, dummySignatures: placeholder } = this.#options;
    const kept = background && { background, store: true };
    const input = {
      wire: this.wire,
      stream: !background,
      placeholder,
      agent,
      agentConfig,
      ...kept,
    };
    if (state !== 'server') return input;
    const previousInteraction = this.#continued();
    return { ...input, store: true, ...(previousInteraction && { previousInteraction }) };
  }

  // The caller may have changed the thread.
  #continued(): { id: string; turns: number } | undefined {
    if (!this.#state) return undefined;
    const { id, turns, answer } = this.#state;
    const isThere = this.#thread.length >= turns;
    return isThere && this.#lastOf(turns) === answer ? { id, turns } : undefined;
  }

  #lastOf(turns: number): string {
    return decodeUtf8(this.#thread.content(turns - 1));
  }

  /** Notes the interaction whose answer is the last turn: the next request may continue it, also after a restart. */
  async noteState(id: string | undefined): Promise<void> {
    this.forgetState();
    if (this.wire !== 'interactions' || this.#options.state !== 'server' || !id) return;
    const turns = this.#thread.length;
    this.#state = { id, turns, answer: this.#lastOf(turns) };
    if (this.journal.notes.isStored)
      await (await loadInteractions()).keepInteraction(this, stateNote, id);
  }

  /** Lets the next request have the whole history. */
  forgetState(): void {
    this.#state = undefined;
    this.forget(stateNote);
  }

  /** The interaction that runs at Google for the last turn, if any. */
  get backgroundId(): string | undefined {
    const { id, turns } = Object(this.journal.notes.get(backgroundNote)) as Partial<Kept>;
    return turns === this.#thread.length ? id : undefined;
  }

  /** Removes a note of this name. */
  forget(name: string): void {
    const { notes } = this.journal;
    if (notes.get(name) != null) notes.set(name, null);
  }

  /** Lets another model answer: its rules judge the requests. Returns a function that goes back to the own one. */
  useModel(model: string): () => void {
    const [own, { previous }] = [this.#model, this];
    if (model !== own) this.#moveTo({ ...this.#options, model, limits: undefined });
    return () => {
      if (this.#model === own) return;
      this.#moveTo({ ...this.#options, model: own });
      this.previous = previous;
    };
  }

  // A thread has the rules of one model.
  #moveTo(options: ConversationOptions): void {
    const { length, calibration } = this.#thread;
    const from = length > 0 ? { from: this.#thread.save() } : {};
    const thread = coreThread(this.#strata.thread({ ...threadOptions(options), ...from }));
    thread.calibration = calibration;
    this.free();
    this.#thread = thread;
    this.#ownsThread = true;
    this.#model = options.model;
    this.previous = undefined;
    this.forgetState();
  }

  /** Replaces the thread by another one, which no longer has some turns, and takes ownership; returns the event. */
  async replace(
    replacement: Thread,
    removals: readonly Removal[] = [],
  ): Promise<ConversationEvent> {
    const old = this.#thread;
    const [thread, before] = [coreThread(replacement), old.length];
    thread.calibration = old.calibration;
    this.free();
    this.#thread = thread;
    this.#ownsThread = true;
    this.forgetState();
    // In the same write as the turns that stay.
    if (removals.length > 0) this.journal.notes.set(removedNote, [...this.removed, ...removals]);
    await this.sync();
    return { type: 'thread', turns: thread.length, before };
  }

  /** What was removed from the start of the thread, the oldest first. */
  get removed(): readonly Removal[] {
    const removed = this.journal.notes.get(removedNote);
    return Array.isArray(removed) ? (removed as Removal[]) : [];
  }

  /** Frees the thread, unless it is the caller's. */
  free(): void {
    if (this.#ownsThread) this.#thread[dispose]();
  }

  /** Removes all turns after the first `length`. */
  async rewind(length: number): Promise<void> {
    this.rewindNow(length);
    await this.sync();
  }

  /** Rewinds without waiting for the store, which drops the turns with the next write. */
  rewindNow(length: number): void {
    this.#thread.rewind(length);
    this.#step = undefined;
    this.journal.invalidate();
  }

  /** Writes the turns that the store does not have yet. */
  sync(): Promise<void> | undefined {
    return this.journal.sync(this.#thread);
  }

  /** Appends and stores a turn, and returns its events. Throws HistoryError if the API would refuse it. */
  commit(
    content: JsonInput | CoreResponse,
    meta?: TurnMeta,
    options?: AppendOptions,
  ): ConversationEvent[] | Promise<ConversationEvent[]> {
    const events = this.appendNow(content, meta, options);
    return this.sync()?.then(() => events) ?? events;
  }

  /** Appends a turn without waiting for the store, which gets it with the next `commit`. */
  appendNow(
    content: JsonInput | CoreResponse,
    meta?: TurnMeta,
    options?: AppendOptions,
  ): ConversationEvent[] {
    const about = { at: this.now(), ...meta };
    const turn = this.#thread.appendTurn(content, about, options, this.hasReader);
    this.#step = undefined;
    // What steps lose as Contents says nothing to who sends them back as steps.
    const diagnostics = turn.report.diagnostics.filter(
      ({ code }) => this.wire !== 'interactions' || !/^convert\.(?:lost|changed)$/.test(code),
    );
    const event: ConversationEvent = {
      type: 'turn',
      index: turn.index,
      // The bytes leave the core when they are read. As a member of the object, a copy of the event has them.
      get content() {
        return turn.content();
      },
    };
    return diagnostics.length > 0 ? [event, { type: 'diagnostics', diagnostics }] : [event];
  }

  /**
   * Keeps the responses of a step whose other calls stay open, for the next send. Their stored records are there
   * already. With `restarts`, the store forgets that the open calls have started.
   */
  async pause(results: StepResult[], restarts: boolean): Promise<void> {
    this.#step = { started: [], results };
    if (restarts) await this.journal.rewriteStep(this.#thread, results);
  }

  /** Returns the stored response of an open call, or `interrupted` if it had started before a crash. */
  storedResponse(call: number, interrupted: ToolResponse): ToolResponse | undefined {
    const known = this.#step?.results.findLast(({ index }) => index === call);
    return known?.result ?? (this.#step?.started.includes(call) ? interrupted : undefined);
  }
}
