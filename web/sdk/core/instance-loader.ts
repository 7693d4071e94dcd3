// Compiles a module once and creates an instance for each call.
import { Instance } from './instance.js';
import { instantiate, instantiateNow } from './instantiate.js';
import { optionsPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { CreateModule } from './raw.js';
import type { ModelInput, RuleInput } from '../types/model.js';
import { compileWasm, type PackagedWasm, type WasmSource } from './wasm-source.js';

/** Options of `load`. */
export interface LoadOptions {
  /**
   * The WebAssembly file (`prompt-strata/core.wasm`, `lite.wasm` or `gateway.wasm`), if the package cannot find it by
   * itself: a module, its bytes, a Response, or its URL. docs/bundlers.md says when that is.
   *
   * @example
   * await load({ wasm: new URL('/assets/core.wasm', location.href) });
   */
  wasm?: WasmSource;
  /** Models to add to the catalogue, with their limits. */
  models?: ModelInput[];
  /** Rules of the catalogue to change, with another severity or another error message of the API. */
  rules?: RuleInput[];
}

type Compile = () => Promise<WebAssembly.Module>;

function compileOnce(compile: Compile): Compile {
  let compiled: Promise<WebAssembly.Module> | undefined;
  return () => {
    compiled ??= compile();
    // After a failure, the next call tries again.
    compiled.catch(() => (compiled = undefined));
    return compiled;
  };
}

/**
 * Returns the function behind a `load`.
 *
 * @param create the Emscripten glue of the module
 * @param packaged the module's own WebAssembly file
 *
 * @internal
 */
export function instanceLoader(
  create: CreateModule,
  packaged: PackagedWasm,
): (options: LoadOptions) => Promise<Instance> {
  const compilePackaged = compileOnce(() => compileWasm(packaged));
  return async (options) => {
    must.object(options, '');
    const { wasm, ...rows } = options;
    const part = optionsPart(rows);
    const module = await (wasm === undefined ? compilePackaged() : compileWasm(packaged, wasm));
    const created = await instantiate(create, module);
    const instance = new Instance(created, () => instantiateNow(create, module));
    instance.call([part], () => instance.core.configure());
    return instance;
  };
}
