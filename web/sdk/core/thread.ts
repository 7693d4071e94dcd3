// Implements `Thread` on a handle of the core. Reports with errors become exceptions if the policy says so.
import { assembleFrame } from './assemble.js';
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
import type { Manifest } from '../types/manifest.js';
import type { Imported, Replacement, Thread, ThreadOptions, TurnMeta } from '../types/thread.js';

function throwRejection(report: Report): never {
  const [first] = report.diagnostics.filter(({ severity }) => severity === 'error');
  if (!first)
    throw new HistoryError('json.invalid', 'The history was rejected', report.diagnostics);
  throw new HistoryError(first.code, `${first.message} (${first.path})`, report.diagnostics);
}

// The core's reply when a thread is opened.
interface OpenReply {
  systemText: string;
  notes: Report;
  report: Report;
}

/** Implements `Thread`. */
export class OpenThread extends Handle<RawThread> implements Thread {
  readonly imported: Imported;

  private constructor(instance: Instance, raw: RawThread, imported: Imported) {
    super(instance, raw, 'thread');
    this.imported = imported;
  }

  static open(instance: Instance, options: ThreadOptions): OpenThread {
    must.object(options, '');
    const { from, ...rest } = options;
    const parts = [optionsPart(rest), jsonPart(from, '/from')];
    const make = () => new instance.module.Thread(instance.core);
    const { raw, document } = construct<OpenReply, RawThread>(instance, parts, make);
    const { systemText, notes, report } = document;
    const thread = new OpenThread(instance, raw, { systemText, diagnostics: notes.diagnostics });
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

  append(content: JsonInput, meta?: TurnMeta): Report {
    const { document } = this.#call<{ accepted: boolean; report: Report }>(
      [jsonPart(content), optionsPart(meta, '/meta')],
      (raw) => raw.append(),
    );
    return document.accepted ? document.report : throwRejection(document.report);
  }

  content(index: number): Uint8Array {
    this.#checkTurn(index, this.length - 1);
    return this.#call([], (raw) => raw.content(index)).bytes;
  }

  rewind(length: number): void {
    this.#checkTurn(length, this.length);
    const { raw } = this;
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
    return this.#call<Report>([], (raw) => raw.report()).document;
  }

  assemble(input: AssembleInput): Assembled {
    const { parts, staticLayer, dynamicLayer } = assembleFrame(this.instance, input);
    const { document, bytes } = this.#call<Report & { manifest: Manifest }>(parts, (raw) =>
      raw.assemble(staticLayer, dynamicLayer),
    );
    return { ...document, body: bytes };
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
