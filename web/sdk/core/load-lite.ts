// Loads the smaller core of `prompt-strata/lite`.
import createCore from '#lite-core';
import { wasm } from '#lite-wasm';
import { instanceLoader, type LoadOptions } from './instance-loader.js';
import { OpenStrata } from './strata.js';
import type { LiteStrata } from '../types/lite.js';

const loadInstance = instanceLoader(createCore, {
  source: wasm,
  inlineEntry: 'prompt-strata/lite/inline',
});

/**
 * Creates an instance of the smaller core. It is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows, `wasm.not_found` or
 *   `wasm.not_compiled` if the WebAssembly file cannot be used
 * @example
 * const strata = await load();
 * strata.lint(body, { model: 'gemini-3.8-flash' }).ok;
 */
export async function load(options: LoadOptions = {}): Promise<LiteStrata> {
  return new OpenStrata(await loadInstance(options));
}
