// Implements `Thread` on a handle of the module talk. Reports with errors become exceptions if the policy says so.
import { AssembleCall, assembledOf, readAssembled, type AssembleReply } from './assemble.js';
import { readCommittedTurns, type CommittedTurn } from './committed-turns.js';
import { HistoryError } from '../internal/errors.js';
import { dispose, withDisposable } from '../internal/lifetime.js';
import { construct, Handle } from './handle.js';
import type { Instance, Reply } from './instance.js';
import { jsonPart, optionsPart, type FramePart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { RawRender, RawTalkModule, RawThread } from './raw.js';
import { WasmResponseAssembler } from './response.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Report } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type { ResponseAssembler, ResponseOptions } from '../types/response.js';
import type { CachePreview } from '../types/manifest.js';
import type {
  BudgetOptions,
  HistoryBudget,
  HistoryCut,
  MaskOptions,
  OutputEdit,
  ShortenOptions,
} from '../types/compaction.js';
import type {
  AppendedTurn,
  CoreThread,
  FullTail,
  StoredState,
  StoreMark,
} from '../types/core-objects.js';
import type {
  AppendOptions,
  Replacement,
  ThreadOptions,
  ThreadTail,
  TurnMeta,
} from '../types/thread.js';
import type { Timeline, TimelineOptions } from '../types/timeline.js';
import type { Calibration } from '../types/usage.js';
import type { ToolResponse } from '../types/tool.js';
import { decodeUtf8 } from '../internal/bytes.js';

/** Returns what the core says about a turn that was appended. */
function accepted<Document extends Verdict>(reply: Reply<Document>): Reply<Document> {
  if (!reply.document.accepted) throwRejection(reply.document.report);
  return reply;
}

function throwRejection({ diagnostics }: Report): never {
  const first = diagnostics.find(({ severity }) => severity === 'error');
  if (!first) throw new HistoryError('json.invalid', 'The history was rejected', diagnostics);
  const { code, message, path } = first;
  // A Content without Parts has what should be there under another name.
  const other = diagnostics.find((each) => each.code === 'field.unknown' && code === 'parts.empty');
  const said = [message, other?.message].filter(Boolean).join(' ');
  throw new HistoryError(code, `${said} (${path})`, diagnostics);
}

// The core's reply when a thread is opened.
interface OpenReply extends StoredState {
  report: Report;
  sequencing: 'strict' | 'api';
  tail: TailState;
}

type Opened = Pick<WasmThread, 'sequencing' | 'service'> & {
  stored?: StoredState;
  tail?: TailState;
};

// The core's verdict about a turn.
interface Verdict {
  accepted: boolean;
  report: Report;
}

type TailState = ReturnType<CoreThread['state']>;

type AppendedVerdict = Verdict & { index: number; tail: TailState };

// What the package itself asks of each append, and its text, which is the same each time.
const turnOptions = { learn: true, tail: true };
const turnText = optionsPart(turnOptions);
const readTurnOptions = { ...turnOptions, content: true };
const readTurnText = optionsPart(readTurnOptions);

// The metadata of a turn of a thread may have the steps in which it came.
const keepSteps = optionsPart({ steps: true });
const hasSteps = ({ meta }: CommittedTurn) => decodeUtf8(meta).includes('"steps":');

/** Implements `Thread`, and what the other rooms of the package ask of a thread. */
export class WasmThread extends Handle<RawThread, RawTalkModule> implements CoreThread {
  readonly sequencing: 'strict' | 'api';
  readonly service: CoreThread['service'];
  readonly stored: StoredState | undefined;
  readonly #committed: number;
  #survivors: CommittedTurn[] | undefined;
  /** The end of the thread since its last change, if known. */
  #state: TailState | undefined;
  /** Copies the last answer, unless that was done; undefined if nobody can ask for it after the next change. */
  #lastTurn: (() => Uint8Array) | undefined;

  constructor(instance: Instance<RawTalkModule>, raw: RawThread, opened: Opened) {
    super(instance, raw, 'thread');
    this.sequencing = opened.sequencing;
    this.service = opened.service;
    this.stored = opened.stored;
    this.#state = opened.tail;
    this.#committed = instance.run(() => raw.committed());
  }

  static open(instance: Instance<RawTalkModule>, options: ThreadOptions): WasmThread {
    must.object(options, '');
    const { from, ...others } = options;
    const parts = [optionsPart(others), jsonPart(from, '/from')];
    const make = () => new instance.module.Thread(instance.core);
    const { raw, document } = construct<OpenReply, RawThread>(instance, parts, make);
    const { report, sequencing, tail } = document;
    const { model, backend = 'gemini' } = options;
    const service = { model, backend };
    const thread = new WasmThread(instance, raw, { sequencing, service, stored: document, tail });
    if (report.ok || options.policy === 'warn') return thread;
    thread[dispose]();
    throwRejection(report);
  }

  get length(): number {
    const { raw } = this;
    return this.#surviving()?.length ?? this.instance.run(() => raw.size());
  }

  get tokens(): number {
    const { raw } = this;
    return this.instance.run(() => raw.tokens());
  }

  get tail(): ThreadTail {
    const { kind, awaitsAnswer, openCalls, text } = this.#fullTail();
    return { kind, awaitsAnswer, openCalls, ...(text && { text }) };
  }

  append(content: JsonInput, meta?: TurnMeta, options?: AppendOptions): Report {
    return this.#append<Verdict>(content, meta, optionsPart(options)).document.report;
  }

  appendAnswer(response: ResponseAssembler, meta?: TurnMeta, options?: AppendOptions): Report {
    if (response instanceof WasmResponseAssembler)
      return this.#appendAnswer<Verdict>(response, meta, optionsPart(options)).document.report;
    throw must.invalidOption('/response', 'what Strata.response returned');
  }

  check(content: JsonInput, meta?: TurnMeta, options?: AppendOptions): Report {
    const parts = [jsonPart(content), optionsPart(meta, '/meta'), optionsPart(options)];
    return this.#call<Verdict>(parts, (raw) => raw.check()).document.report;
  }

  roleOf(content: Uint8Array): string | undefined {
    return this.#call<{ role?: string }>([content], (raw) => raw.check()).document.role;
  }

  state(): TailState {
    this.#state ??= this.#fullTail();
    return this.#state;
  }

  onlyText(): string | undefined {
    const { text, onlyText } = this.#fullTail();
    return onlyText ? text : undefined;
  }

  lastUserText(): { turns: number; text: string } {
    const { turns, text } = this.#ask<{ turns: number; text: string }>((raw) => raw.lastUserText());
    return { turns, text };
  }

  response(options: ResponseOptions): WasmResponseAssembler {
    return new WasmResponseAssembler(this.instance, options);
  }

  appendTurn(
    content: JsonInput | ResponseAssembler,
    meta: TurnMeta,
    options: AppendOptions | undefined,
    hasReader: boolean,
  ): AppendedTurn {
    const isAnswer = content instanceof WasmResponseAssembler;
    const withContent = hasReader && !isAnswer;
    const asked = options
      ? optionsPart({ ...options, ...(withContent ? readTurnOptions : turnOptions) })
      : withContent
        ? readTurnText
        : turnText;
    const { document, bytes } = isAnswer
      ? this.#appendAnswer<AppendedVerdict>(content, meta, asked)
      : this.#append<AppendedVerdict>(content, meta, asked);
    const { report, index, tail } = document;
    this.#state = tail;
    let turn = bytes.length > 0 ? bytes : undefined;
    const copy = () => (turn ??= this.#copyOf(index));
    if (hasReader && !turn) this.#lastTurn = copy;
    return { report, index, content: copy };
  }

  checkResponses(content: JsonInput): Report {
    return this.#call<Verdict>([jsonPart(content)], (raw) => raw.checkResponses()).document.report;
  }

  get calibration(): Calibration {
    return this.#ask((raw) => raw.calibration());
  }

  set calibration(calibration: Calibration) {
    this.#call([optionsPart(calibration)], (raw) => raw.setCalibration());
  }

  content(index: number, as?: 'content'): Uint8Array {
    must.optional(must.oneOf('content'))(as, '/as');
    this.#checkTurn(index, this.length - 1);
    if (as === 'content') return this.#copyOf(index);
    const turn = this.#surviving()?.[index];
    return turn && hasSteps(turn)
      ? this.#withCopy([turn], (copy) => copy.content(0))
      : this.#copyOf(index, false);
  }

  timeline(options: TimelineOptions = {}): Timeline {
    const turns = this.#surviving();
    if (turns) return this.#withCopy(turns, (copy) => copy.timeline(options));
    const parts = [optionsPart(options)];
    return this.#call<Timeline>(parts, (raw) => raw.timeline()).document;
  }

  rewind(length: number): void {
    this.#checkTurn(length, this.length);
    this.#beforeChange();
    this.#state = this.#ask<TailState>((raw) => raw.rewind(length));
  }

  fork(length: number = this.length): WasmThread {
    this.#checkTurn(length, this.length);
    const { raw, instance } = this;
    const copy = instance.run(() => new instance.module.Thread(raw, length));
    return new WasmThread(instance, copy, { sequencing: this.sequencing, service: this.service });
  }

  report(): Report {
    return this.#ask((raw) => raw.report());
  }

  assemble(input: AssembleInput): Assembled {
    const { document, bytes } = this.#assembleWith<AssembleReply>(
      input,
      (raw, render) => raw.assemble(render),
      readAssembled,
    );
    return assembledOf(document, bytes);
  }

  rewrite(replacements: readonly Replacement[]): WasmThread {
    must.arrayOf(must.object)(replacements, '');
    // The core validates the options with the number of Contents in their place.
    const ranges = replacements.map(({ contents, ...range }) => ({
      ...range,
      contents: Array.isArray(contents) ? contents.length : null,
    }));
    const parts = replacements.flatMap(({ contents }, i) =>
      Array.isArray(contents)
        ? contents.map((content, j) => jsonPart(content, `/${i}/contents/${j}`))
        : [],
    );
    const rewritten = this.fork();
    try {
      const { raw } = rewritten;
      this.instance.call([optionsPart(ranges), ...parts], () => raw.rewrite());
      return rewritten;
    } catch (error) {
      rewritten[dispose]();
      throw error;
    }
  }

  maskOutputs(options: MaskOptions = {}): OutputEdit[] {
    return this.#query<{ edits: OutputEdit[] }>(options, (raw) => raw.mask()).edits;
  }

  shortenOutputs(options: ShortenOptions): OutputEdit[] {
    return this.#query<{ edits: OutputEdit[] }>(options, (raw) => raw.shorten()).edits;
  }

  compressionCut(fraction: number): HistoryCut {
    return this.#query({ fraction }, (raw) => raw.compression());
  }

  historyBudget(budget: BudgetOptions): HistoryBudget {
    return this.#query(budget, (raw) => raw.budget());
  }

  cacheBody(input: AssembleInput): { body: Uint8Array; turns: number; key: string } {
    const { document, bytes } = this.#assembleWith<{ turns: number; key: string }>(
      input,
      (raw, render) => raw.cacheBody(render),
    );
    return { ...document, body: bytes };
  }

  cachePreview(input: AssembleInput): CachePreview {
    const action = (raw: RawThread, render: RawRender | undefined) => raw.cachePreview(render);
    return this.#assembleWith<CachePreview>(input, action).document;
  }

  save(from = 0): Uint8Array {
    this.#checkTurn(from, this.length);
    const turns = this.#surviving();
    if (turns) return this.#withCopy(turns.slice(from), (copy) => copy.save());
    return this.#call([], (raw) => raw.save(from)).bytes;
  }

  saveSince(stored: StoreMark | undefined): StoreMark & { from: number; lines: string[] } {
    const turns = this.#surviving();
    if (turns) return this.#withCopy(turns, (copy) => copy.saveSince(stored));
    const { document, bytes } = this.#call<{ from: number; mark: StoreMark }>(
      [optionsPart(stored ?? {})],
      (raw) => raw.saveSince(),
    );
    const lines = decodeUtf8(bytes).split('\n').slice(0, -1);
    return { ...document.mark, from: document.from, lines };
  }

  record(call: number, response?: ToolResponse): string {
    return decodeUtf8(this.#call([jsonPart(response)], (raw) => raw.record(call)).bytes);
  }

  /** Frees the thread. Any other use then throws ReferenceError. */
  override [dispose](): void {
    this.#beforeChange();
    super[dispose]();
  }

  /** Appends a turn whose bytes come from another thread. */
  copyTurn({ content, meta }: CommittedTurn): void {
    this.#call([content, meta, keepSteps], (raw) => raw.append());
  }

  /** Returns the turns that survived a trap of the instance; undefined without a trap. */
  #surviving(): CommittedTurn[] | undefined {
    const memory = this.instance.trappedMemory;
    if (memory) this.#survivors ??= readCommittedTurns(memory, this.#committed);
    return this.#survivors;
  }

  // The instance has trapped: calls `use` with a thread of these turns in another one.
  #withCopy<T>(turns: readonly CommittedTurn[], use: (copy: WasmThread) => T): T {
    const options: ThreadOptions = { ...this.service, policy: 'warn', sequencing: this.sequencing };
    const copy = WasmThread.open(this.instance.successor(), options);
    return withDisposable(copy, () => {
      for (const turn of turns) copy.copyTurn(turn);
      return use(copy);
    });
  }

  #append<Document extends Verdict>(
    content: JsonInput,
    meta: TurnMeta | undefined,
    options: FramePart,
  ) {
    const parts = [jsonPart(content), optionsPart(meta, '/meta'), options];
    this.#beforeChange();
    return accepted(this.#call<Document>(parts, (raw) => raw.append()));
  }

  #appendAnswer<Document extends Verdict>(
    response: WasmResponseAssembler,
    meta: TurnMeta | undefined,
    options: FramePart,
  ): Reply<Document> {
    const parts = [undefined, optionsPart(meta, '/meta'), options];
    this.#beforeChange();
    return accepted(
      response.moveTo(this.instance, (answer) =>
        this.#call<Document>(parts, (raw) => raw.appendAnswer(answer)),
      ),
    );
  }

  #copyOf(index: number, asContent = true): Uint8Array {
    const turn = this.#surviving()?.[index];
    return turn
      ? turn.content.slice()
      : this.#call([], (raw) => raw.content(index, asContent)).bytes;
  }

  // The turn's bytes may be asked for later, but the change may replace or drop them: a repair merges turns.
  #beforeChange(): void {
    this.#state = undefined;
    this.#lastTurn?.();
    this.#lastTurn = undefined;
  }

  #fullTail(): FullTail & { onlyText: boolean } {
    return this.#ask((raw) => raw.tail());
  }

  #query<Document>(options: object, action: (raw: RawThread) => void): Document {
    const { raw } = this;
    return this.instance.call<Document>([optionsPart(options)], () => action(raw)).document;
  }

  // Templates of the layers render in their own instance while this one waits.
  #assembleWith<Document>(
    input: AssembleInput,
    action: (raw: RawThread, render: RawRender | undefined) => void,
    parse?: (text: string) => unknown,
  ): Reply<Document> {
    const { raw, instance } = this;
    const call = new AssembleCall(input);
    const render = call.renderer(instance, raw);
    return call.finish(() => instance.call<Document>(call.parts, () => action(raw, render), parse));
  }

  #ask<Document>(action: (raw: RawThread) => void): Document {
    return this.#call<Document>([], action).document;
  }

  #call<Document>(
    parts: Parameters<Instance['call']>[0],
    action: (raw: RawThread) => void,
  ): Reply<Document> {
    const { raw } = this;
    return this.instance.call<Document>(parts, () => action(raw));
  }

  #checkTurn(turn: number, last: number): void {
    if (Number.isInteger(turn) && turn >= 0 && turn <= last) return;
    throw new RangeError(
      `Turn ${String(turn)} does not exist: the thread has ${this.length} turns`,
    );
  }
}
