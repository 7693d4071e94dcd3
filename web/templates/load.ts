// Loads the module templates.
import { create, wasm } from '#templates';
import { instanceLoader, type LoadOptions } from '../sdk/core/instance-loader.js';
import type { Templates } from '../sdk/types/templates.js';
import type { RawTemplatesModule } from './raw.js';
import { WasmTemplates } from './templates.js';

const loadInstance = instanceLoader<RawTemplatesModule>(create, wasm);

/**
 * Creates an instance of the template engine. It is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options, `wasm.not_found` or `wasm.not_compiled` if
 *   the WebAssembly file cannot be used
 * @example
 * const templates = await loadTemplates();
 * using template = templates.template('Hello, {{ name }}.');
 */
export async function loadTemplates(options: LoadOptions = {}): Promise<Templates> {
  return new WasmTemplates(await loadInstance(options));
}
