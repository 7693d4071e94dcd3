// Holds the loader that the entry of the package chose, so that all entries share the code of the core.
import type { PackagedWasm } from '../wasm-source.js';

type Source = PackagedWasm['source'];

let provided: Source | undefined;
let isFinal = false;

/** Sets the loader. One with `final` replaces all others, in any order. */
export function provide(source: Source, final = false): void {
  if (isFinal) return;
  provided = source;
  isFinal = final;
}

export function wasm(): ReturnType<Source> {
  if (!provided) throw new Error('no entry of the package was imported');
  return provided();
}
