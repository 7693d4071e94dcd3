// Loads the module talk.
import { create, wasm } from '#talk';
import { instanceLoader, type LoadOptions } from './instance-loader.js';
import type { RawTalkModule } from './raw.js';
import { WasmStrata } from './strata.js';
import type { Strata } from '../types/strata.js';

const loadInstance = instanceLoader<RawTalkModule>(create, wasm);

/**
 * Creates an instance of the core. The core is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows, `wasm.not_found` or
 *   `wasm.not_compiled` if the WebAssembly file cannot be used
 * @example
 * const strata = await load();
 * using thread = strata.thread({ model: 'gemini-3.8-flash' });
 */
export async function load(options: LoadOptions = {}): Promise<Strata> {
  return new WasmStrata(await loadInstance(options));
}
