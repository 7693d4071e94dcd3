// Implements `Strata`: one instance of the module talk, and loads it.
import { create, wasm } from '#talk';
import { optionsPart } from '../internal/json-input.js';
import { version } from '../internal/version.js';
import type { Instance } from './instance.js';
import { calibrate, estimateTokens, fitSchema, modelLimits } from './models.js';
import type { RawTalkModule } from './raw.js';
import { WasmResponseAssembler } from './response.js';
import { WasmThread } from './thread.js';
import type { CachePlan, CacheRequest } from '../types/manifest.js';
import type { JsonInput } from '../types/json.js';
import type { ModelLimits, ServiceOptions } from '../types/model.js';
import type { ResponseOptions } from '../types/response.js';
import type { FittedSchema, SchemaOptions } from '../types/schema.js';
import type { Countable, Strata } from '../types/strata.js';
import type { ThreadOptions } from '../types/thread.js';
import type { Calibration, EstimateOptions } from '../types/usage.js';
import { instanceLoader, type LoadOptions } from './instance-loader.js';

/**
 * Implements `Strata`.
 *
 * @internal
 */
export class WasmStrata implements Strata {
  readonly version = version;
  protected readonly instance: Instance<RawTalkModule>;

  constructor(instance: Instance<RawTalkModule>) {
    this.instance = instance;
  }

  thread(options: ThreadOptions): WasmThread {
    return WasmThread.open(this.instance, options);
  }

  response(options: ResponseOptions = {}): WasmResponseAssembler {
    return new WasmResponseAssembler(this.instance, options);
  }

  schema(jsonSchema: JsonInput, options: SchemaOptions): FittedSchema {
    return fitSchema(this.instance, jsonSchema, options);
  }

  modelLimits(model: string, options: ServiceOptions = {}): ModelLimits {
    return modelLimits(this.instance, model, options);
  }

  planCache(request: CacheRequest): CachePlan {
    const { core } = this.instance;
    return this.instance.call<CachePlan>([optionsPart(request)], () => core.planCache()).document;
  }

  estimateTokens(content: Countable, options: EstimateOptions = {}): number {
    return estimateTokens(this.instance, content, options);
  }

  calibrate(content: Countable, tokens: number, options: EstimateOptions = {}): Calibration {
    return calibrate(this.instance, content, tokens, options);
  }
}

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
