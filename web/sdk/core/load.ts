// Loads the core.
import createCore from '#core';
import { compile } from '#wasm';
import { setNewest } from './diff-manifests.js';
import { FullStrata } from './full-strata.js';
import { instanceLoader, type LoadOptions } from './instance-loader.js';
import type { Strata } from '../types/strata.js';

const loadInstance = instanceLoader(createCore, compile);

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
  const strata = new FullStrata(await loadInstance(options));
  setNewest(strata);
  return strata;
}
