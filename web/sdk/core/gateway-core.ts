// Implements `GatewayCore`: one instance of the gateway's core.
import { BaseStrata } from './base-strata.js';
import { convertRequest, WasmOpenAiAnswer } from './openai.js';
import type { GatewayCore } from '../types/gateway-core.js';
import type { JsonInput } from '../types/json.js';
import type { RepairOptions, Repaired } from '../types/lint.js';
import type {
  OpenAiAnswer,
  OpenAiAnswerOptions,
  OpenAiRequest,
  OpenAiRequestOptions,
} from '../types/openai.js';

export type * from '../types/gateway-core.js';

/** Implements `GatewayCore`. */
export class OpenGatewayCore extends BaseStrata implements GatewayCore {
  repair(body: JsonInput, options: RepairOptions): Repaired {
    const { core } = this.instance;
    return this.check(body, options, () => core.repair());
  }

  openAiRequest(body: Uint8Array, options?: OpenAiRequestOptions): OpenAiRequest {
    return convertRequest(this.instance, body, options);
  }

  openAiAnswer(options: OpenAiAnswerOptions): OpenAiAnswer {
    return WasmOpenAiAnswer.open(this.instance, options);
  }
}
