// Frees the WebAssembly object of a handle when the handle is disposed or garbage-collected.
import { dispose } from '../internal/lifetime.js';
import type { FramePart } from '../internal/json-input.js';
import type { Instance } from './instance.js';
import type { RawHandle, RawModule } from './raw.js';

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

/** Base of threads, templates and responses. */
export abstract class Handle<
  Raw extends RawHandle,
  Module extends RawModule = RawModule,
> implements Disposable {
  protected readonly instance: Instance<Module>;
  #raw: Raw | undefined;
  /** What happened to the handle, so that it cannot be used any more. */
  #end: string | undefined;

  readonly #name: string;

  /** `name` is used in error messages; class names do not survive a minifier. Without `raw`, see `hold`. */
  protected constructor(instance: Instance<Module>, raw: Raw | undefined, name: string) {
    this.instance = instance;
    this.#name = name;
    if (raw) this.hold(raw);
  }

  /** Lets the handle own a raw object that did not exist when the handle was created. */
  protected hold(raw: Raw): void {
    this.#raw = raw;
    registry?.register(this, { instance: this.instance, raw }, this);
  }

  /**
   * The raw object; undefined before `hold`.
   *
   * @throws ReferenceError if the handle was disposed
   */
  protected get held(): Raw | undefined {
    if (this.#end) throw new ReferenceError(`This ${this.#name} was ${this.#end}`);
    return this.#raw;
  }

  /** @throws ReferenceError if the handle was disposed */
  protected get raw(): Raw {
    return this.held as Raw;
  }

  /** Frees the handle, which was `end`. Any use after that throws ReferenceError. */
  protected free(end: string): void {
    if (this.#end) return;
    if (this.#raw) {
      registry?.unregister(this);
      this.instance.release(this.#raw);
    }
    this.#raw = undefined;
    this.#end = end;
  }

  /** Frees the handle. Disposing it again does nothing; any other use throws ReferenceError. */
  [dispose](): void {
    this.free('disposed');
  }
}
