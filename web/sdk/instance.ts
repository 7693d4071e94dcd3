// Why this file exists: every call into WebAssembly goes through here: bytes in as one frame, bytes
// out as copies, and an instance that has trapped is never called again.
import { joinBytes } from './bytes.js';
import { HistoryError, StrataError, TemplateError } from './errors.js';
import type { RawCore, RawHandle, RawModule } from './raw.js';
import type { Diagnostic } from './types.js';

/** A part of a call: JSON or text, bytes as they are, or nothing. */
export type Part = string | Uint8Array | undefined;

/** What a call answered: a document, and bytes of its own that no longer belong to WebAssembly. */
export interface Reply<Document> {
  document: Document;
  bytes: Uint8Array;
}

interface Failure {
  error?: { code: string; offset: number; diagnostic: Diagnostic };
  templateError?: ConstructorParameters<typeof TemplateError>[2] & {
    code: string;
    message: string;
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const empty = new Uint8Array(0);

// What the core can index, and far more than the API takes.
const maxBytes = 2 ** 29;

function sizeOf(part: Part): number {
  if (part === undefined) return 0;
  if (typeof part === 'string' || part instanceof Uint8Array) return part.length;
  throw new StrataError('field.invalid', `Expected text or bytes, got ${typeof part}`);
}

// A UTF-16 unit takes at most three bytes of UTF-8.
const room = (part: Part): number =>
  typeof part === 'string' ? part.length * 3 : (part?.length ?? 0);

/** Writes the frame that bindings/exchange.h reads: a count, the lengths, the parts. */
function writeFrame(core: RawCore, parts: readonly Part[]): void {
  const head = 4 * (parts.length + 1);
  const frame = core.input(parts.reduce((size, part) => size + room(part), head));
  const words = new DataView(frame.buffer, frame.byteOffset, head);
  words.setUint32(0, parts.length, true);
  let at = head;
  parts.forEach((part, index) => {
    let length = 0;
    if (typeof part === 'string') {
      length = encoder.encodeInto(part, frame.subarray(at)).written;
    } else if (part) {
      frame.set(part, at);
      length = part.length;
    }
    words.setUint32(4 * (index + 1), length, true);
    at += length;
  });
}

/** Copies the pieces behind the document into one array that WebAssembly can't move. */
function readBytes(core: RawCore): Uint8Array {
  const pieces: Uint8Array[] = [];
  const count = core.outputs();
  for (let index = 1; index < count; index++) pieces.push(core.output(index));
  if (pieces.length === 0) return empty;
  if (pieces.length === 1 && pieces[0]) return pieces[0].slice();
  return joinBytes(pieces);
}

function throwFailure({ error, templateError }: Failure): void {
  if (templateError)
    throw new TemplateError(templateError.code, templateError.message, templateError);
  if (!error) return;
  const { code, message } = { ...error.diagnostic, code: error.code };
  throw new HistoryError(code, `${message} (${error.diagnostic.path || '/'})`, [error.diagnostic]);
}

/** One WebAssembly instance with its border. */
export class Instance {
  readonly module: RawModule;
  readonly core: RawCore;
  #trap: { cause: unknown } | undefined;
  #inHost = false;

  constructor(module: RawModule) {
    this.module = module;
    this.core = new module.Core();
  }

  /**
   * Hands `parts` over, runs `action`, and gives what it answered.
   *
   * @throws HistoryError or TemplateError that the core answered; StrataError `instance.poisoned` when
   *   this instance traps or has trapped, `instance.busy` from inside a host function.
   */
  call<Document = unknown>(parts: readonly Part[], action: () => void): Reply<Document> {
    const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
    if (size >= maxBytes) throw new StrataError('size.too_large', `${size} bytes are too many`);
    const reply = this.run(() => {
      writeFrame(this.core, parts);
      action();
      const document: unknown = JSON.parse(decoder.decode(this.core.output(0)));
      return { document, bytes: readBytes(this.core) };
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
