// Compiles a module once and creates an instance for each call.
import { Instance } from './instance.js';
import { instantiate, instantiateNow } from './instantiate.js';
import { optionsPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { CreateModule, RawModule } from './raw.js';
import type { ModelInput, RuleInput } from '../types/model.js';
import { compiled, compileWasm, type WasmSource } from './wasm-source.js';

/** Options of `load`. */
export interface LoadOptions {
  /**
   * The WebAssembly file of the entry (`prompt-strata/talk.wasm`, `templates.wasm` or `check.wasm`), if it is not to be
   * read from the JavaScript that contains it: a module, its bytes, a Response, or its URL.
   *
   * @example
   * await load({ wasm: new URL('/assets/talk.wasm', location.href) });
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
 * @param packaged returns the module's own WebAssembly file
 *
 * @internal
 */
export function instanceLoader<Module extends RawModule>(
  create: CreateModule,
  packaged: () => WasmSource | Promise<WasmSource>,
): (options: LoadOptions) => Promise<Instance<Module>> {
  const compilePackaged = compileOnce(async () => compileWasm(await compiled(packaged)));
  return async (options) => {
    must.object(options, '');
    const { wasm, ...rows } = options;
    const part = optionsPart(rows);
    const module = await (wasm === undefined ? compilePackaged() : compileWasm(wasm));
    const created = await instantiate<Module>(create, module);
    const instance = new Instance(created, () => instantiateNow<Module>(create, module));
    instance.call([part], () => instance.core.configure());
    return instance;
  };
}
