// Compiles and splits prompts. A compiled prompt stays in WebAssembly; its texts leave it when they are read.
import { rememberPrompt } from './compiled-id.js';
import { construct, Handle } from './handle.js';
import type { Instance } from './instance.js';
import { dispose } from '../internal/lifetime.js';
import { jsonPart } from '../internal/json-input.js';
import { string, invalidOption } from '../internal/options.js';
import { decodeUtf8 } from '../internal/bytes.js';
import type { RawCompiledPrompt } from './raw.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { CompiledPrompt, PromptManifest } from '../types/compiled-prompt.js';

/** The sizes of the halves at the start and the end of a full text, in UTF-8 bytes. */
interface Halves {
  stable: number;
  dynamic: number;
}

function textsOf(full: Uint8Array, { stable, dynamic }: Halves) {
  return {
    stable: decodeUtf8(full.subarray(0, stable)),
    dynamic: decodeUtf8(full.subarray(full.length - dynamic)),
  };
}

/** A compiled prompt in WebAssembly. */
class PromptHandle extends Handle<RawCompiledPrompt> {
  readonly #id: number;
  #texts: { stable: string; dynamic: string; full: string } | undefined;

  constructor(instance: Instance, raw: RawCompiledPrompt, id: number) {
    super(instance, raw, 'compiled prompt');
    this.#id = id;
  }

  get texts() {
    const { raw } = this;
    if (this.#texts) return this.#texts;
    const { document, bytes } = this.instance.call<Halves>([], () => raw.texts());
    this.#texts = { ...textsOf(bytes, document), full: decodeUtf8(bytes) };
    return this.#texts;
  }

  /** Returns the id by which `instance` knows the prompt; undefined for another instance. */
  idFor(instance: Instance): number | undefined {
    return this.raw && instance === this.instance ? this.#id : undefined;
  }
}

/** Implements `Strata.compile`. */
export function compilePrompt(instance: Instance, input: PromptInput): CompiledPrompt & Disposable {
  if (typeof input !== 'object' || input === null) throw invalidOption('', 'an object');
  const { raw, document } = construct<{ id: number; manifest: PromptManifest }, RawCompiledPrompt>(
    instance,
    [jsonPart(input)],
    () => new instance.module.CompiledPrompt(instance.core),
  );
  const handle = new PromptHandle(instance, raw, document.id);
  // Own properties, so that a copy or the JSON of the prompt holds its texts.
  const compiled = {
    get stable() {
      return handle.texts.stable;
    },
    get dynamic() {
      return handle.texts.dynamic;
    },
    get full() {
      return handle.texts.full;
    },
    manifest: document.manifest,
  };
  rememberPrompt(compiled, handle);
  return Object.defineProperty(compiled, dispose, {
    value: () => handle[dispose](),
  }) as CompiledPrompt & Disposable;
}

/** Implements `Strata.splitPrompt`. */
export function splitPrompt(
  instance: Instance,
  full: string,
): { stable: string; dynamic: string } | null {
  string(full, '/full');
  const bytes = new TextEncoder().encode(full);
  const { core } = instance;
  const { document } = instance.call<Halves | { none: true }>([bytes], () => core.splitPrompt());
  return 'none' in document ? null : textsOf(bytes, document);
}
