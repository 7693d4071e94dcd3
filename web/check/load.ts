// Loads the module check.
import { create, wasm } from '#check';
import { instanceLoader, type LoadOptions } from '../sdk/core/instance-loader.js';
import type { Checker } from './checker.js';
import { WasmChecker } from './wasm-checker.js';
import type { RawCheckModule } from './raw.js';

const loadInstance = instanceLoader<RawCheckModule>(create, wasm);

/**
 * Creates an instance with what the gateway needs besides the public methods.
 *
 * @internal
 */
export async function loadGatewayCore(options: LoadOptions = {}): Promise<WasmChecker> {
  return new WasmChecker(await loadInstance(options));
}

/**
 * Creates an instance of what judges and repairs requests. It is compiled at the first call. A WebAssembly trap ends
 * only the instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows, `wasm.not_found` or
 *   `wasm.not_compiled` if the WebAssembly file cannot be used
 * @example
 * const checker = await loadChecker();
 * checker.lint(body, { model: 'gemini-3.8-flash' }).ok;
 */
export function loadChecker(options: LoadOptions = {}): Promise<Checker> {
  return loadGatewayCore(options);
}
