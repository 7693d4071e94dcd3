// Frees the WebAssembly object of a handle when the handle is disposed or garbage-collected.
import { dispose } from '../base/dispose.js';
import type { FramePart } from '../base/json-input.js';
import type { Instance } from './instance.js';
import type { RawHandle } from './raw.js';

interface Resource {
  instance: Instance;
  raw: RawHandle;
}

const registry =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<Resource>(({ instance, raw }) => instance.release(raw))
    : undefined;

/** Creates a raw object in a call into the core, and frees it if the core replies with an error. */
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

  readonly #name: string;

  /** `name` is used in error messages; class names do not survive a minifier. */
  protected constructor(instance: Instance, raw: Raw, name: string) {
    this.instance = instance;
    this.#name = name;
    this.#raw = raw;
    registry?.register(this, { instance, raw }, this);
  }

  /** @throws ReferenceError if the handle was disposed */
  protected get raw(): Raw {
    if (!this.#raw) throw new ReferenceError(`This ${this.#name} was disposed`);
    return this.#raw;
  }

  /** Frees the handle. Disposing it again does nothing; any other use throws ReferenceError. */
  [dispose](): void {
    if (!this.#raw) return;
    registry?.unregister(this);
    this.instance.release(this.#raw);
    this.#raw = undefined;
  }
}
