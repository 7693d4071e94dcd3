// Implements `GatewayCore`: one instance of the gateway's core.
import { optionsPart } from '../base/json-input.js';
import { optionError } from '../base/options.js';
import { BaseStrata } from './base-strata.js';
import { convertRequest, WasmOpenAiAnswer } from './openai.js';
import type { RawGatewayCore } from './raw.js';
import type {
  AnswerSignature,
  GatewayCore,
  SignatureEdit,
  SignatureSites,
} from '../types/gateway-core.js';
import type { JsonInput } from '../types/json.js';
import type { RepairOptions, Repaired } from '../types/lint.js';
import type {
  OpenAiAnswer,
  OpenAiAnswerOptions,
  OpenAiRequest,
  OpenAiRequestOptions,
} from '../types/openai.js';

export type * from '../types/gateway-core.js';

// Keys of an empty secret could be computed by anyone.
function checkSecrets(secrets: readonly Uint8Array[]): void {
  if (secrets.some(({ length }) => length === 0))
    throw optionError('field.invalid', '', 'A secret of signature keys must not be empty');
}

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

  sites(body: Uint8Array, scopeSecret: Uint8Array, callerSecret: Uint8Array): SignatureSites {
    checkSecrets([scopeSecret, callerSecret]);
    const core = this.#core;
    const parts = [body, scopeSecret, callerSecret];
    return this.instance.call<SignatureSites>(parts, () => core.sites()).document;
  }

  answerSignatures(
    content: Uint8Array,
    chain: string,
    scopeSecret: Uint8Array,
    callerSecret: Uint8Array,
  ): AnswerSignature[] {
    checkSecrets([scopeSecret, callerSecret]);
    const core = this.#core;
    const parts = [content, optionsPart({ chain }), scopeSecret, callerSecret];
    const { document } = this.instance.call<{ signatures: AnswerSignature[] }>(parts, () =>
      core.answerSignatures(),
    );
    return document.signatures;
  }

  editSignatures(body: Uint8Array, edits: readonly SignatureEdit[]): Uint8Array {
    const core = this.#core;
    return this.instance.call([body, optionsPart({ edits })], () => core.editSignatures()).bytes;
  }

  get #core(): RawGatewayCore {
    return this.instance.core as RawGatewayCore;
  }
}
