// Compiles a module once and creates an instance for each call.
import { Instance } from './instance.js';
import { instantiate, instantiateNow } from './instantiate.js';
import { optionsPart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { CreateModule } from './raw.js';
import type { ModelInput, RuleInput } from '../types/catalogue.js';

/** Options of `load`. */
export interface LoadOptions {
  /** The WebAssembly file (`prompt-strata/core.wasm`, `prompt-strata/lite.wasm`), if the package's own loader cannot find it: a module, its bytes, or a Response. */
  wasm?: WebAssembly.Module | ArrayBuffer | ArrayBufferView | Response | PromiseLike<Response>;
  /** Models to add to the catalogue, with their limits. */
  models?: ModelInput[];
  /** Rules of the catalogue to change, with another severity or another error message of the API. */
  rules?: RuleInput[];
}

// `instanceof` does not recognize a Module of another realm.
const isModule = (value: unknown): value is WebAssembly.Module =>
  Object.prototype.toString.call(value) === '[object WebAssembly.Module]';

const isBytes = (value: unknown): value is BufferSource =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]';

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

async function moduleOf(wasm: NonNullable<LoadOptions['wasm']>): Promise<WebAssembly.Module> {
  if (isModule(wasm)) return wasm;
  if (isBytes(wasm)) return WebAssembly.compile(wasm);
  const response = await (wasm as PromiseLike<Response>);
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Returns the function behind a `load`.
 *
 * @param create the Emscripten glue of the module
 * @param compile compiles the module's own WebAssembly file
 *
 * @internal
 */
export function instanceLoader(
  create: CreateModule,
  compile: Compile,
): (options: LoadOptions) => Promise<Instance> {
  const compilePackaged = compileOnce(compile);
  return async (options) => {
    must.object(options, '');
    const { wasm, ...rows } = options;
    const part = optionsPart(rows);
    const module = await (wasm === undefined ? compilePackaged() : moduleOf(wasm));
    const created = await instantiate(create, module);
    const instance = new Instance(created, () => instantiateNow(create, module));
    instance.call([part], () => instance.core.configure());
    return instance;
  };
}
