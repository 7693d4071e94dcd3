// Why this file exists: what WebAssembly holds for a handle is freed when the handle is disposed, or
// when it is forgotten.
import { dispose } from '../base/dispose.js';
import type { FramePart } from '../base/json-input.js';
import type { Instance } from './instance.js';
import type { RawHandle } from './raw.js';

interface Held {
  instance: Instance;
  raw: RawHandle;
}

const registry =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<Held>(({ instance, raw }) => instance.release(raw))
    : undefined;

/** Makes a raw object in a call; frees it again where the core answers with an error. */
export function construct<Document, Raw extends RawHandle>(
  instance: Instance,
  parts: readonly FramePart[],
  make: () => Raw,
): { raw: Raw; document: Document } {
  let raw: Raw | undefined;
  try {
    const { document } = instance.call<Document>(parts, () => {
      raw = make();
    });
    return { raw: raw as Raw, document };
  } catch (error) {
    if (raw) instance.release(raw);
    throw error;
  }
}

/** Base of Thread, Template and ResponseAssembler. */
export abstract class Handle<Raw extends RawHandle> implements Disposable {
  protected readonly instance: Instance;
  #raw: Raw | undefined;

  readonly #what: string;

  /** `what` names it to whoever uses it too late: a minifier renames classes. */
  protected constructor(instance: Instance, raw: Raw, what: string) {
    this.instance = instance;
    this.#what = what;
    this.#raw = raw;
    registry?.register(this, { instance, raw }, this);
  }

  /** @throws ReferenceError when the handle was disposed. */
  protected get raw(): Raw {
    if (!this.#raw) throw new ReferenceError(`This ${this.#what} was disposed`);
    return this.#raw;
  }

  /** Frees the handle. A second time does nothing; any other use throws. */
  [dispose](): void {
    if (!this.#raw) return;
    registry?.unregister(this);
    this.instance.release(this.#raw);
    this.#raw = undefined;
  }
}
