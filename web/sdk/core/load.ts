// Why this file exists: the core is compiled once, and each `load` gives an instance of its own.
import createCore from '#core';
import { compile } from '#wasm';
import { Instance } from './instance.js';
import { valuePart } from '../base/json-input.js';
import * as must from '../base/options.js';
import { LoadedStrata } from './strata.js';
import type { RawModule } from './raw.js';
import type { Strata } from '../types/strata.js';

export interface LoadOptions {
  /** The core, where the package's own loader can't reach it: a module, its bytes, or a fetch of it. */
  wasm?: WebAssembly.Module | BufferSource | Response | PromiseLike<Response>;
  /** Rows added to the catalogue: models with their limits, rules with another severity or another text of Google's. */
  models?: object[];
  rules?: object[];
}

const loadOptions: must.Shape<LoadOptions> = {
  wasm: must.anything,
  models: must.optional(must.arrayOf(must.object)),
  rules: must.optional(must.arrayOf(must.object)),
};

let packaged: Promise<WebAssembly.Module> | undefined;

// A Module of another realm is not an instance of ours.
const isModule = (value: unknown): value is WebAssembly.Module =>
  Object.prototype.toString.call(value) === '[object WebAssembly.Module]';

const isBytes = (value: unknown): value is BufferSource =>
  ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]';

async function moduleOf(given: LoadOptions['wasm']): Promise<WebAssembly.Module> {
  if (given === undefined) {
    packaged ??= compile();
    // A failed fetch must not stay the answer for ever.
    packaged.catch(() => (packaged = undefined));
    return packaged;
  }
  if (isModule(given)) return given;
  if (isBytes(given)) return WebAssembly.compile(given);
  const response = await (given as PromiseLike<Response>);
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
 * Compiles the core once and gives a new instance each call. A WebAssembly trap ends that instance only.
 *
 * @example
 * const strata = await load();
 * strata.lint(body, { model: 'gemini-3.8-flash' }).ok;
 */
export async function load(options: LoadOptions = {}): Promise<Strata> {
  must.checkOptions(options, loadOptions);
  const instance = new Instance(await instantiate(await moduleOf(options.wasm)));
  if (options.models || options.rules) {
    const { models = [], rules = [] } = options;
    instance.call([valuePart(models, '/models'), valuePart(rules, '/rules')], () =>
      instance.core.configure(),
    );
  }
  return new LoadedStrata(instance);
}
