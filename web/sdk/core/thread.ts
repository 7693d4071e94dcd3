// Implements `LiteThread`, the base of `Thread`, on a handle of the core. Reports with errors become exceptions if the policy says so.
import { assembleFrame } from './assemble.js';
import { readCommittedTurns, type CommittedTurn } from './committed-turns.js';
import { HistoryError, unavailable } from '../base/errors.js';
import { withDisposable } from '../base/dispose.js';
import { construct, Handle } from './handle.js';
import type { Instance, Reply } from './instance.js';
import { jsonPart, optionsPart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { RawThread } from './raw.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Report } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type { LiteThread } from '../types/lite.js';
import type { Manifest } from '../types/manifest.js';
import type { Imported, ThreadOptions, TurnMeta } from '../types/thread.js';

function throwRejection(report: Report): never {
  const [first] = report.diagnostics.filter(({ severity }) => severity === 'error');
  if (!first)
    throw new HistoryError('json.invalid', 'The history was rejected', report.diagnostics);
  throw new HistoryError(first.code, `${first.message} (${first.path})`, report.diagnostics);
}

// Without importers a history is read as it is.
function checkImportOptions(instance: Instance, { format, ...options }: ThreadOptions): void {
  if (instance.isFull) return;
  const own = format === undefined || format === 'strata' || format === 'gemini';
  if (!own) throw unavailable('/format', `the format ${String(format)}`);
  for (const name of ['signatures', 'signaturesFrom'] as const) {
    if (options[name] !== undefined) throw unavailable(`/${name}`, 'the import of signatures');
  }
}

// The core's reply when a thread is opened.
interface OpenReply {
  systemText: string;
  notes: Report;
  report: Report;
}

/** Returns the saved form of turns, which only the core knows. It does not depend on the model. */
function saveTurns(instance: Instance, turns: readonly CommittedTurn[]): Uint8Array {
  const copy = OpenThread.open(instance, { model: 'any', policy: 'warn' });
  return withDisposable(copy, () => {
    for (const turn of turns) copy.copyTurn(turn);
    return copy.save();
  });
}

type ThreadClass<T> = new (instance: Instance, raw: RawThread, imported: Imported) => T;

/** Implements `LiteThread`. */
export class OpenThread extends Handle<RawThread> implements LiteThread {
  readonly imported: Imported;
  readonly #committed: number;
  #survivors: CommittedTurn[] | undefined;

  constructor(instance: Instance, raw: RawThread, imported: Imported) {
    super(instance, raw, 'thread');
    this.imported = imported;
    this.#committed = instance.run(() => raw.committed());
  }

  static open<T extends OpenThread>(
    this: ThreadClass<T>,
    instance: Instance,
    options: ThreadOptions,
  ): T {
    must.object(options, '');
    checkImportOptions(instance, options);
    const { from, ...rest } = options;
    const parts = [optionsPart(rest), jsonPart(from, '/from')];
    const make = () => new instance.module.Thread(instance.core);
    const { raw, document } = construct<OpenReply, RawThread>(instance, parts, make);
    const { systemText, notes, report } = document;
    const thread = new this(instance, raw, { systemText, diagnostics: notes.diagnostics });
    if (!report.ok && options.policy !== 'warn') throwRejection(report);
    return thread;
  }

  get length(): number {
    const { raw } = this;
    return this.#surviving()?.length ?? this.instance.run(() => raw.size());
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
    const turn = this.#surviving()?.[index];
    return turn ? turn.content.slice() : this.#call([], (raw) => raw.content(index)).bytes;
  }

  rewind(length: number): void {
    this.#checkTurn(length, this.length);
    const { raw } = this;
    this.instance.run(() => raw.rewind(length));
  }

  fork(length: number = this.length): this {
    this.#checkTurn(length, this.length);
    const { raw, instance } = this;
    const copy = instance.run(() => new instance.module.Thread(raw, length));
    return new (this.constructor as ThreadClass<this>)(instance, copy, this.imported);
  }

  report(): Report {
    return this.#call<Report>([], (raw) => raw.report()).document;
  }

  assemble(input: AssembleInput): Assembled {
    const parts = assembleFrame(this.instance, input);
    const { document, bytes } = this.#call<Report & { manifest: Manifest }>(parts, (raw) =>
      raw.assemble(),
    );
    return { ...document, body: bytes };
  }

  save(from = 0): Uint8Array {
    this.#checkTurn(from, this.length);
    const turns = this.#surviving();
    if (turns) return saveTurns(this.instance.successor(), turns.slice(from));
    return this.#call([], (raw) => raw.save(from)).bytes;
  }

  /** Appends a turn whose bytes come from another thread. */
  copyTurn({ content, meta }: CommittedTurn): void {
    this.#call([content, meta], (raw) => raw.append());
  }

  /** Returns the turns that survived a trap of the instance; undefined without a trap. */
  #surviving(): CommittedTurn[] | undefined {
    const memory = this.instance.trappedMemory;
    if (memory) this.#survivors ??= readCommittedTurns(memory, this.#committed);
    return this.#survivors;
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
