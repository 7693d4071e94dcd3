// Loads the core of `prompt-strata/gateway`.
import createCore from '#gateway-core';
import { wasm } from '#gateway-wasm';
import { OpenGatewayCore, type GatewayCore } from './gateway-core.js';
import { instanceLoader, type LoadOptions } from './instance-loader.js';

const loadInstance = instanceLoader(createCore, {
  source: wasm,
  inlineEntry: 'prompt-strata/gateway/inline',
});

/**
 * Creates an instance of the gateway's core. It is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows, `wasm.not_found` or
 *   `wasm.not_compiled` if the WebAssembly file cannot be used
 */
export async function loadGateway(options: LoadOptions = {}): Promise<GatewayCore> {
  return new OpenGatewayCore(await loadInstance(options));
}
