// Remembers which compiled prompts the core knows, so that a request can name one instead of copying its texts.
import type { Instance } from './instance.js';
import type { CompiledPrompt } from '../types/compiled-prompt.js';

/** A prompt in the memory of an instance. */
interface KnownPrompt {
  /** Returns the id by which `instance` knows the prompt; undefined for another instance. */
  idFor(instance: Instance): number | undefined;
}

const known = new WeakMap<CompiledPrompt, KnownPrompt>();

/** Remembers that `prompt` holds the texts of `compiled`. */
export function rememberPrompt(compiled: CompiledPrompt, prompt: KnownPrompt): void {
  known.set(compiled, prompt);
}

/** Returns the id of a compiled prompt in this instance; undefined for copies, and prompts of other instances. */
export function compiledIdOf(instance: Instance, compiled: CompiledPrompt): number | undefined {
  return known.get(compiled)?.idFor(instance);
}
