// Makes the calls into one WebAssembly instance. After a trap, the instance is never called again.
import { HistoryError, StrataError, TemplateError } from '../base/errors.js';
import type { FramePart } from '../base/json-input.js';
import { Frame } from './frame.js';
import { optionError } from '../base/options.js';
import type { RawCore, RawHandle, RawModule } from './raw.js';
import type { Diagnostic } from '../types/diagnostic.js';

/** The reply of a call: a document, and a copy of the bytes that came with it. */
export interface Reply<Document> {
  document: Document;
  bytes: Uint8Array;
}

interface Failure {
  error?: { code: string; offset: number; aboutOptions: boolean; diagnostic: Diagnostic };
  templateError?: ConstructorParameters<typeof TemplateError>[2] & {
    code: string;
    message: string;
  };
}

// The core cannot index more bytes. It is far more than the API accepts.
const maxBytes = 2 ** 29;

function sizeOf(part: FramePart): number {
  if (part === undefined) return 0;
  if (typeof part === 'string' || part instanceof Uint8Array) return part.length;
  const given = part === null ? 'null' : typeof part;
  throw optionError('field.invalid', '', `Expected text or bytes, got ${given}`);
}

function throwFailure({ error, templateError }: Failure): void {
  if (templateError)
    throw new TemplateError(templateError.code, templateError.message, templateError);
  if (!error) return;
  const { code, aboutOptions, diagnostic } = error;
  const { message, path } = diagnostic;
  if (aboutOptions) throw new StrataError(code, message, [diagnostic]);
  throw new HistoryError(code, `${message} (${path || '/'})`, [diagnostic]);
}

/** One WebAssembly instance. */
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
   * Passes `parts` to the core, runs `action`, and returns the reply, whose document `parse` reads.
   *
   * @throws TemplateError, HistoryError, or StrataError for an option, if the core replies with an error
   * @throws StrataError `size.too_large` for parts of 512 MiB or more, `instance.poisoned` if the instance traps
   *   or has trapped, `instance.busy` inside a host function
   */
  call<Document = unknown>(
    parts: readonly FramePart[],
    action: () => void,
    parse: (text: string) => unknown = JSON.parse,
  ): Reply<Document> {
    let size = 0;
    for (const part of parts) size += sizeOf(part);
    if (size >= maxBytes) {
      throw optionError(
        'size.too_large',
        '',
        `${size} bytes exceed the limit of ${maxBytes} bytes`,
      );
    }
    const reply = this.run(() => {
      this.#frame.write(parts);
      action();
      return this.#frame.read(parse);
    });
    throwFailure(reply.document as Failure);
    return reply as Reply<Document>;
  }

  /** Runs an action that calls WebAssembly. Any exception is a trap, because the core itself never throws. */
  run<Result>(action: () => Result): Result {
    if (this.#trap) throw this.#poisoned(this.#trap.cause);
    if (this.#inHost) {
      throw new StrataError(
        'instance.busy',
        'A filter or function of a template called the instance that calls it. Use another one.',
      );
    }
    try {
      return action();
    } catch (cause) {
      this.#trap = { cause };
      throw this.#poisoned(cause);
    }
  }

  /** Runs a host function of a template. Until it returns, all other calls throw `instance.busy`. */
  host<Result>(action: () => Result): Result {
    this.#inHost = true;
    try {
      return action();
    } finally {
      this.#inHost = false;
    }
  }

  /** Frees a handle. Does nothing if the instance has trapped. */
  release(handle: RawHandle): void {
    if (!this.#trap) this.run(() => handle.delete());
  }

  #poisoned(cause: unknown): StrataError {
    const message =
      'This instance of the core has trapped, and its handles are invalid. Call load() to create another.';
    return new StrataError('instance.poisoned', message, [], cause);
  }
}
