// Implements `Thread` on a handle of the core. Reports with errors become exceptions if the policy says so.
import { assembleFrame, readAssembled } from './assemble.js';
import { HistoryError } from '../base/errors.js';
import { dispose } from '../base/dispose.js';
import { construct, Handle } from './handle.js';
import type { Instance, Reply } from './instance.js';
import { jsonPart, optionsPart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { RawThread } from './raw.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { CachePreview } from '../types/cache-plan.js';
import type {
  BudgetOptions,
  HistoryBudget,
  HistoryCut,
  MaskOptions,
  OutputEdit,
  ShortenOptions,
} from '../types/compaction.js';
import type { Report } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type {
  AppendedTurn,
  CoreThread,
  FullTail,
  StoredState,
  StoreMark,
} from '../types/core-thread.js';
import type {
  AppendOptions,
  Imported,
  Replacement,
  ThreadOptions,
  ThreadTail,
  TurnMeta,
} from '../types/thread.js';
import type { Calibration } from '../types/tokens.js';
import type { ToolResponse } from '../types/tool.js';
import { decodeUtf8 } from '../base/utf8.js';

function throwRejection(report: Report): never {
  const [first] = report.diagnostics.filter(({ severity }) => severity === 'error');
  if (!first)
    throw new HistoryError('json.invalid', 'The history was rejected', report.diagnostics);
  throw new HistoryError(first.code, `${first.message} (${first.path})`, report.diagnostics);
}

// The core's reply when a thread is opened.
interface OpenReply extends StoredState {
  systemText: string;
  notes: Report;
  report: Report;
}

// The core's verdict about a turn.
interface Verdict {
  accepted: boolean;
  report: Report;
  kind?: string;
}

type TailState = ReturnType<CoreThread['state']>;

/** Implements `Thread`. */
export class OpenThread extends Handle<RawThread> implements CoreThread {
  readonly imported: Imported;
  readonly stored: StoredState | undefined;
  /** The end of the thread since its last change, if known. */
  #state: TailState | undefined;

  private constructor(
    instance: Instance,
    raw: RawThread,
    imported: Imported,
    stored?: StoredState,
  ) {
    super(instance, raw, 'thread');
    this.imported = imported;
    this.stored = stored;
  }

  static open(instance: Instance, options: ThreadOptions): OpenThread {
    must.object(options, '');
    const { from, ...rest } = options;
    const parts = [optionsPart(rest), jsonPart(from, '/from')];
    const make = () => new instance.module.Thread(instance.core);
    const { raw, document } = construct<OpenReply, RawThread>(instance, parts, make);
    const { systemText, notes, report } = document;
    const imported = { systemText, diagnostics: notes.diagnostics };
    const thread = new OpenThread(instance, raw, imported, document);
    if (!report.ok && options.policy !== 'warn') throwRejection(report);
    return thread;
  }

  get length(): number {
    const { raw } = this;
    return this.instance.run(() => raw.size());
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
    return this.#append<Verdict>(content, meta, options).document.report;
  }

  check(content: JsonInput, meta?: TurnMeta, options?: AppendOptions): Report {
    return this.#check(content, meta, options).report;
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

  appendTurn(content: JsonInput, meta: TurnMeta, options?: AppendOptions): AppendedTurn {
    const { document, bytes } = this.#append<Verdict & { index: number; tail: TailState }>(
      content,
      meta,
      { ...options, learn: true, tail: true, content: true },
    );
    this.#state = document.tail;
    return { report: document.report, index: document.index, content: bytes };
  }

  isModelContent(content: JsonInput): boolean {
    return this.#check(content).kind === 'model';
  }

  checkResponses(content: JsonInput): Report {
    return this.#call<Verdict>([jsonPart(content)], (raw) => raw.checkResponses()).document.report;
  }

  get calibration(): Calibration {
    return this.#ask((raw) => raw.calibration());
  }

  set calibration(calibration: Calibration) {
    this.#query(calibration, (raw) => raw.setCalibration());
  }

  content(index: number): Uint8Array {
    this.#checkTurn(index, this.length - 1);
    return this.#call([], (raw) => raw.content(index)).bytes;
  }

  rewind(length: number): void {
    this.#checkTurn(length, this.length);
    const { raw } = this;
    this.#state = undefined;
    this.instance.run(() => raw.rewind(length));
  }

  fork(length: number = this.length): OpenThread {
    this.#checkTurn(length, this.length);
    const { raw, instance } = this;
    return new OpenThread(
      instance,
      instance.run(() => new instance.module.Thread(raw, length)),
      this.imported,
    );
  }

  rewrite(replacements: readonly Replacement[]): OpenThread {
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
      rewritten.#call([optionsPart(ranges), ...parts], (raw) => raw.rewrite());
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

  report(): Report {
    return this.#ask((raw) => raw.report());
  }

  assemble(input: AssembleInput): Assembled {
    const { parts, staticLayer, dynamicLayer } = assembleFrame(this.instance, input);
    const { raw } = this;
    const { document, bytes } = this.instance.call<ReturnType<typeof readAssembled>>(
      parts,
      () => raw.assemble(staticLayer, dynamicLayer),
      readAssembled,
    );
    return Object.assign(document, { body: bytes });
  }

  cacheBody(input: AssembleInput): { body: Uint8Array; turns: number; key: string } {
    const { parts, staticLayer, dynamicLayer } = assembleFrame(this.instance, input);
    const { document, bytes } = this.#call<{ turns: number; key: string }>(parts, (raw) =>
      raw.cacheBody(staticLayer, dynamicLayer),
    );
    return { ...document, body: bytes };
  }

  cachePreview(input: AssembleInput): CachePreview {
    const { parts, staticLayer, dynamicLayer } = assembleFrame(this.instance, input);
    return this.#call<CachePreview>(parts, (raw) => raw.cachePreview(staticLayer, dynamicLayer))
      .document;
  }

  save(from = 0): Uint8Array {
    this.#checkTurn(from, this.length);
    return this.#call([], (raw) => raw.save(from)).bytes;
  }

  saveSince(stored: StoreMark | undefined): StoreMark & { from: number; lines: string[] } {
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

  #append<Document extends Verdict>(content: JsonInput, meta: unknown, options: unknown) {
    const parts = [jsonPart(content), optionsPart(meta, '/meta'), optionsPart(options)];
    this.#state = undefined;
    const reply = this.#call<Document>(parts, (raw) => raw.append());
    if (!reply.document.accepted) throwRejection(reply.document.report);
    return reply;
  }

  #check(content: JsonInput, meta?: TurnMeta, options?: AppendOptions): Verdict {
    const parts = [jsonPart(content), optionsPart(meta, '/meta'), optionsPart(options)];
    return this.#call<Verdict>(parts, (raw) => raw.check()).document;
  }

  #fullTail(): FullTail & { onlyText: boolean } {
    return this.#ask((raw) => raw.tail());
  }

  #ask<Document>(action: (raw: RawThread) => void): Document {
    return this.#call<Document>([], action).document;
  }

  #query<Document>(options: object, action: (raw: RawThread) => void): Document {
    return this.#call<Document>([optionsPart(options)], action).document;
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
