// Loads the core.
import createCore from '#core';
import { wasm } from '#wasm';
import { setNewest } from './diff-manifests.js';
import { FullStrata } from './full-strata.js';
import { instanceLoader, type LoadOptions } from './instance-loader.js';
import type { Strata } from '../types/strata.js';

const loadInstance = instanceLoader(createCore, {
  source: wasm,
  inlineEntry: 'prompt-strata/inline',
});

/**
 * Creates an instance of the core. The core is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows, `wasm.not_found` or
 *   `wasm.not_compiled` if the WebAssembly file cannot be used
 * @example
 * const strata = await load();
 * strata.lint(body, { model: 'gemini-3.8-flash' }).ok;
 */
export async function load(options: LoadOptions = {}): Promise<Strata> {
  const strata = new FullStrata(await loadInstance(options));
  setNewest(strata);
  return strata;
}
