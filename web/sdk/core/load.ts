// Compiles the core once and creates an instance for each call of `load`.
import createCore from '#core';
import { compile } from '#wasm';
import { setNewest } from './diff-manifests.js';
import { Instance } from './instance.js';
import { optionsPart } from '../base/json-input.js';
import { object } from '../base/options.js';
import { LoadedStrata } from './strata.js';
import type { RawModule } from './raw.js';
import type { ModelInput, RuleInput } from '../types/catalogue.js';
import type { Strata } from '../types/strata.js';

/** Options of `load`. */
export interface LoadOptions {
  /** The core (`prompt-strata/core.wasm`), if the package's own loader cannot find it: a module, its bytes, or a Response. */
  wasm?: WebAssembly.Module | BufferSource | Response | PromiseLike<Response>;
  /** Models to add to the catalogue, with their limits. */
  models?: ModelInput[];
  /** Rules of the catalogue to change, with another severity or another error message of the API. */
  rules?: RuleInput[];
}

let packaged: Promise<WebAssembly.Module> | undefined;

// `instanceof` does not recognize a Module of another realm.
const isModule = (value: unknown): value is WebAssembly.Module =>
  Object.prototype.toString.call(value) === '[object WebAssembly.Module]';

const isBytes = (value: unknown): value is BufferSource =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]';

async function moduleOf(wasm: LoadOptions['wasm']): Promise<WebAssembly.Module> {
  if (wasm === undefined) {
    packaged ??= compile();
    // After a failure, the next call tries again.
    packaged.catch(() => (packaged = undefined));
    return packaged;
  }
  if (isModule(wasm)) return wasm;
  if (isBytes(wasm)) return WebAssembly.compile(wasm);
  const response = await (wasm as PromiseLike<Response>);
  return WebAssembly.compile(await response.arrayBuffer());
}

function instantiate(module: WebAssembly.Module): Promise<RawModule> {
  return new Promise((resolve, reject) => {
    const instantiateWasm: Parameters<typeof createCore>[0]['instantiateWasm'] = (
      imports,
      done,
    ) => {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject);
      return {};
    };
    createCore({ instantiateWasm }).then((raw) => resolve(raw as RawModule), reject);
  });
}

/**
 * Creates an instance of the core. The core is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows
 * @example
 * const strata = await load();
 * strata.lint(body, { model: 'gemini-3.8-flash' }).ok;
 */
export async function load(options: LoadOptions = {}): Promise<Strata> {
  object(options, '');
  const { wasm, ...rest } = options;
  const rows = optionsPart(rest);
  const instance = new Instance(await instantiate(await moduleOf(wasm)));
  instance.call([rows], () => instance.core.configure());
  const strata = new LoadedStrata(instance);
  setNewest(strata);
  return strata;
}
