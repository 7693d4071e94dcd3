// Why this file exists: every call into WebAssembly goes through here, and an instance that has trapped is
// never called again.
import { HistoryError, StrataError, TemplateError } from '../base/errors.js';
import type { FramePart } from '../base/json-input.js';
import { Frame } from './frame.js';
import { refusal } from '../base/options.js';
import type { RawCore, RawHandle, RawModule } from './raw.js';
import type { Diagnostic } from '../types/diagnostic.js';

/** What a call answered: a document, and bytes of its own that no longer belong to WebAssembly. */
export interface Reply<Document> {
  document: Document;
  bytes: Uint8Array;
}

interface Failure {
  error?: { code: string; offset: number; ofOptions: boolean; diagnostic: Diagnostic };
  templateError?: ConstructorParameters<typeof TemplateError>[2] & {
    code: string;
    message: string;
  };
}

// What the core can index, and far more than the API takes.
const maxBytes = 2 ** 29;

function sizeOf(part: FramePart): number {
  if (part === undefined) return 0;
  if (typeof part === 'string' || part instanceof Uint8Array) return part.length;
  const given = part === null ? 'null' : typeof part;
  throw refusal('field.invalid', '', `Expected text or bytes, got ${given}`);
}

function throwFailure({ error, templateError }: Failure): void {
  if (templateError)
    throw new TemplateError(templateError.code, templateError.message, templateError);
  if (!error) return;
  const { code, message } = { ...error.diagnostic, code: error.code };
  const Refused = error.ofOptions ? StrataError : HistoryError;
  throw new Refused(code, `${message} (${error.diagnostic.path || '/'})`, [error.diagnostic]);
}

/** One WebAssembly instance with its border. */
export class Instance {
  readonly module: RawModule;
  readonly core: RawCore;
  readonly #frame: Frame;
  #trap: { cause: unknown } | undefined;
  #inHost = false;

  constructor(module: RawModule) {
    this.module = module;
    this.core = new module.Core();
    this.#frame = new Frame(this.core);
  }

  /**
   * Hands `parts` over, runs `action`, and gives what it answered.
   *
   * @throws what the core answered: TemplateError, HistoryError, or StrataError for an option;
   *   StrataError `instance.poisoned` when this instance traps or has trapped, `instance.busy` from inside
   *   a host function.
   */
  call<Document = unknown>(parts: readonly FramePart[], action: () => void): Reply<Document> {
    const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
    if (size >= maxBytes) throw refusal('size.too_large', '', `${size} bytes are too many`);
    const reply = this.run(() => {
      this.#frame.write(parts);
      action();
      return this.#frame.read();
    });
    throwFailure(reply.document as Failure);
    return reply as Reply<Document>;
  }

  /** Runs what touches WebAssembly. Whatever it throws is a trap: the core itself throws nothing. */
  run<Result>(action: () => Result): Result {
    if (this.#trap) throw this.#poisoned(this.#trap.cause);
    if (this.#inHost) {
      throw new StrataError(
        'instance.busy',
        'A host function may not call the instance that calls it',
      );
    }
    try {
      return action();
    } catch (cause) {
      this.#trap = { cause };
      throw this.#poisoned(cause);
    }
  }

  /** Runs a host function of a template, while no other call may come in. */
  host<Result>(action: () => Result): Result {
    this.#inHost = true;
    try {
      return action();
    } finally {
      this.#inHost = false;
    }
  }

  /** Frees a handle; in an instance that has trapped there is nothing to free. */
  release(handle: RawHandle): void {
    if (!this.#trap) this.run(() => handle.delete());
  }

  #poisoned(cause: unknown): StrataError {
    const message = 'This instance of the core has trapped; load() another. Its handles are dead.';
    return new StrataError('instance.poisoned', message, [], cause);
  }
}
