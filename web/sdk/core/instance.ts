// Makes the calls into one WebAssembly instance. After a trap, the instance is never called again.
import { HistoryError, StrataError, TemplateError } from '../internal/errors.js';
import type { FramePart } from '../internal/json-input.js';
import { Frame } from './frame.js';
import { optionError } from '../internal/options.js';
import type { Instantiated } from './instantiate.js';
import type { RawHandle, RawModule } from './raw.js';
import type { ErrorCode } from '../types/codes.js';
import type { Diagnostic } from '../types/diagnostic.js';

/** The reply of a call: a document, and a copy of the bytes that came with it. */
export interface Reply<Document> {
  document: Document;
  bytes: Uint8Array;
}

interface Failure {
  error?: { code: ErrorCode; offset: number; aboutOptions: boolean; diagnostic: Diagnostic };
  templateError?: ConstructorParameters<typeof TemplateError>[2] & {
    code: ErrorCode;
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

interface Trap {
  code: 'instance.poisoned' | 'instance.out_of_memory';
  cause: unknown;
}

const trapMessages = {
  'instance.poisoned': 'This instance of the core has trapped.',
  'instance.out_of_memory': 'This instance of the core ran out of memory.',
};

function trapError({ code, cause }: Trap): StrataError {
  const message = `${trapMessages[code]} Its handles are invalid, but threads can still be saved. Call load() to create another.`;
  return new StrataError(code, message, [], cause);
}

/** One WebAssembly instance. */
export class Instance<Module extends RawModule = RawModule> {
  readonly module: Module;
  readonly core: InstanceType<Module['Core']>;
  readonly #memory: WebAssembly.Memory;
  readonly #instantiateAgain: () => Instantiated<Module>;
  readonly #frame: Frame;
  readonly #outOfMemory: number;
  #trap: Trap | undefined;
  #successor: Instance<Module> | undefined;
  #inHost = false;

  /** `instantiateAgain` creates another instance, see `successor`. */
  constructor(
    { module, memory }: Instantiated<Module>,
    instantiateAgain: () => Instantiated<Module>,
  ) {
    this.module = module;
    this.core = new module.Core() as InstanceType<Module['Core']>;
    this.#memory = memory;
    this.#instantiateAgain = instantiateAgain;
    this.#frame = new Frame(this.core);
    this.#outOfMemory = this.core.outOfMemory();
  }

  /** The memory of a trapped instance, which does not change any more; undefined before a trap. */
  get trappedMemory(): DataView | undefined {
    return this.#trap && new DataView(this.#memory.buffer);
  }

  /**
   * Returns an instance that does what a trapped one cannot do any more. The catalogue's default rows apply.
   *
   * @throws StrataError with the code of the trap if the runtime cannot create one
   */
  successor(): Instance<Module> {
    if (this.#successor && !this.#successor.#trap) return this.#successor;
    try {
      this.#successor = new Instance(this.#instantiateAgain(), this.#instantiateAgain);
      return this.#successor;
    } catch (cause) {
      throw trapError({ code: this.#trap?.code ?? 'instance.poisoned', cause });
    }
  }

  /**
   * Passes `parts` to the core, runs `action`, and returns the reply, whose document `parse` reads.
   *
   * @throws TemplateError, HistoryError, or StrataError for an option, if the core replies with an error
   * @throws StrataError `size.too_large` for parts of 512 MiB or more, `instance.out_of_memory` or
   *   `instance.poisoned` if the instance traps or has trapped, `instance.busy` inside a host function
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
    if (this.#trap) throw trapError(this.#trap);
    if (this.#inHost) {
      throw new StrataError(
        'instance.busy',
        'A filter or function of a template called the instance that calls it. Use another one.',
      );
    }
    try {
      return action();
    } catch (cause) {
      const ranOut = new DataView(this.#memory.buffer).getUint32(this.#outOfMemory, true) === 1;
      this.#trap = { code: ranOut ? 'instance.out_of_memory' : 'instance.poisoned', cause };
      throw trapError(this.#trap);
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
}
