// Implements `GatewayCore`: one instance of the gateway's core.
import { optionsPart } from '../internal/json-input.js';
import { BaseStrata } from './base-strata.js';
import { secretParts, WasmGatewayRequest } from './gateway-request.js';
import { convertRequest, WasmOpenAiAnswer } from './openai.js';
import type { RawGatewayCore } from './raw.js';
import type {
  AnswerSignature,
  GatewayCore,
  GatewayRequest,
  SignatureSecrets,
} from '../types/gateway-core.js';
import type {
  OpenAiAnswer,
  OpenAiAnswerOptions,
  OpenAiRequest,
  OpenAiRequestOptions,
} from '../types/openai.js';

export type * from '../types/gateway-core.js';

/** Implements `GatewayCore`. */
export class OpenGatewayCore extends BaseStrata implements GatewayCore {
  openAiRequest(body: Uint8Array, options?: OpenAiRequestOptions): OpenAiRequest {
    return convertRequest(this.instance, body, options);
  }

  openAiAnswer(options: OpenAiAnswerOptions): OpenAiAnswer {
    return WasmOpenAiAnswer.open(this.instance, options);
  }

  request(body: Uint8Array, maxValues: number): GatewayRequest {
    return new WasmGatewayRequest(this.instance, body, maxValues);
  }

  answerSignatures(
    content: Uint8Array,
    chain: string,
    secrets: SignatureSecrets,
  ): AnswerSignature[] {
    const core = this.instance.core as RawGatewayCore;
    const parts = [content, optionsPart({ chain }), ...secretParts(secrets)];
    const { document } = this.instance.call<{ signatures: AnswerSignature[] }>(parts, () =>
      core.answerSignatures(),
    );
    return document.signatures;
  }
}
