// Implements `Checker`, and what the gateway asks of it: one instance of the module check, and loads it.
import { create, wasm } from '#check';
import type { Instance } from '../sdk/core/instance.js';
import { estimateTokens, fitSchema, modelLimits } from '../sdk/core/models.js';
import { WasmResponseAssembler } from '../sdk/core/response.js';
import { StrataError } from '../sdk/internal/errors.js';
import { jsonPart, optionsPart, valuePart, type FramePart } from '../sdk/internal/json-input.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { version } from '../sdk/internal/version.js';
import type { Diagnostic, Report, Span } from '../sdk/types/diagnostic.js';
import type {
  AnswerSignature,
  GatewayCore,
  GatewayRequest,
  SignatureSecrets,
} from './gateway-core.js';
import type { Content } from '../sdk/types/gemini/contents.js';
import type { ImportOptions, Imported } from '../sdk/types/import.js';
import type { JsonInput } from '../sdk/types/json.js';
import type {
  BodyTimelineOptions,
  ConvertedBody,
  ConvertOptions,
  LintOptions,
  LintReport,
  LocateOptions,
  RepairOptions,
  Repaired,
} from './lint.js';
import type { ModelLimits, ServiceOptions } from '../sdk/types/model.js';
import type {
  OpenAiAnswer,
  OpenAiAnswerOptions,
  OpenAiRequest,
  OpenAiRequestOptions,
} from './openai-types.js';
import type { ResponseOptions } from '../sdk/types/response.js';
import type { FittedSchema, SchemaOptions } from '../sdk/types/schema.js';
import type { Countable } from '../sdk/types/strata.js';
import type { Timeline } from '../sdk/types/timeline.js';
import type { EstimateOptions } from '../sdk/types/usage.js';
import { secretParts, WasmGatewayRequest } from './gateway-request.js';
import { convertRequest, WasmOpenAiAnswer } from './openai.js';
import type { RawCheckModule } from './raw.js';
import { instanceLoader, type LoadOptions } from '../sdk/core/instance-loader.js';
import type { Checker } from './checker.js';

// Reports a body that cannot be passed to the core as a finding; rethrows other errors.
function unreadable(error: unknown): Repaired {
  const bodyErrors = ['json.invalid', 'size.too_large'];
  if (!(error instanceof StrataError && bodyErrors.includes(error.code))) throw error;
  return { ok: false, diagnostics: error.diagnostics, body: new Uint8Array(0) };
}

function bodyParts(body: JsonInput, options: object): FramePart[] {
  const part = jsonPart(body);
  // Nobody has seen the text of a value, so nothing in it has a range.
  const isValue = typeof part === 'string' && part !== body;
  return [part, optionsPart(options), isValue ? 'value' : undefined];
}

/**
 * Implements `Checker`.
 *
 * @internal
 */
export class WasmChecker implements GatewayCore {
  readonly version = version;
  protected readonly instance: Instance<RawCheckModule>;

  constructor(instance: Instance<RawCheckModule>) {
    this.instance = instance;
  }

  lint(body: JsonInput, options: LintOptions): LintReport {
    const { core } = this.instance;
    const {
      ok,
      wire = 'generateContent',
      diagnostics,
    } = this.#check(body, options, () => core.lint());
    return { ok, wire, diagnostics };
  }

  convert(document: JsonInput, options: ConvertOptions): ConvertedBody {
    const { core } = this.instance;
    return this.#check(document, options, () => core.convert());
  }

  repair(body: JsonInput, options: RepairOptions): Repaired {
    const { core } = this.instance;
    return this.#check(body, options, () => core.repair());
  }

  timeline(body: JsonInput, options: BodyTimelineOptions): Timeline {
    const { core } = this.instance;
    const parts = bodyParts(body, options);
    return this.instance.call<Timeline>(parts, () => core.timeline()).document;
  }

  locate(
    text: string | Uint8Array,
    pointers: readonly string[],
    options: LocateOptions = {},
  ): Span[] {
    const { core } = this.instance;
    const parts = [text, valuePart(pointers), optionsPart(options)];
    const { document } = this.instance.call<{ places: [number, number][] }>(parts, () =>
      core.locate(),
    );
    return document.places.map(([start, end]) => ({ start, end }));
  }

  import(history: JsonInput, options: ImportOptions = {}): Imported {
    const { core } = this.instance;
    const parts = [jsonPart(history), optionsPart(options)];
    const { document, bytes } = this.instance.call<{
      size: number;
      systemText: string;
      diagnostics: Diagnostic[];
    }>(parts, () => core.importHistory());
    const { size, systemText, diagnostics } = document;
    const contentsJson = bytes.slice(0, size);
    const contents: Content[] = JSON.parse(decodeUtf8(contentsJson));
    return { contents, contentsJson, saved: bytes.slice(size), systemText, diagnostics };
  }

  schema(jsonSchema: JsonInput, options: SchemaOptions): FittedSchema {
    return fitSchema(this.instance, jsonSchema, options);
  }

  response(options: ResponseOptions = {}): WasmResponseAssembler {
    return new WasmResponseAssembler(this.instance, options);
  }

  modelLimits(model: string, options: ServiceOptions = {}): ModelLimits {
    return modelLimits(this.instance, model, options);
  }

  estimateTokens(content: Countable, options: EstimateOptions = {}): number {
    return estimateTokens(this.instance, content, options);
  }

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
    const { core } = this.instance;
    const parts = [content, optionsPart({ chain }), ...secretParts(secrets)];
    const { document } = this.instance.call<{ signatures: AnswerSignature[] }>(parts, () =>
      core.answerSignatures(),
    );
    return document.signatures;
  }

  #check(
    body: JsonInput,
    options: LintOptions | ConvertOptions,
    action: () => void,
  ): Repaired & Partial<LintReport> {
    try {
      const parts = bodyParts(body, options);
      const { document, bytes } = this.instance.call<Report & Partial<LintReport>>(parts, action);
      return { ...document, body: bytes };
    } catch (error) {
      return unreadable(error);
    }
  }
}

const loadInstance = instanceLoader<RawCheckModule>(create, wasm);

/**
 * Creates an instance with what the gateway needs besides the public methods.
 *
 * @internal
 */
export async function loadGatewayCore(options: LoadOptions = {}): Promise<WasmChecker> {
  return new WasmChecker(await loadInstance(options));
}

/**
 * Creates an instance of what judges and repairs requests. It is compiled at the first call. A WebAssembly trap ends
 * only the instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options or rows, `wasm.not_found` or
 *   `wasm.not_compiled` if the WebAssembly file cannot be used
 * @example
 * const checker = await loadChecker();
 * checker.lint(body, { model: 'gemini-3.8-flash' }).ok;
 */
export function loadChecker(options: LoadOptions = {}): Promise<Checker> {
  return loadGatewayCore(options);
}
