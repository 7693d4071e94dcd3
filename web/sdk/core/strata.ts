// Implements `Strata`: one instance of the core.
import type { Instance } from './instance.js';
import { StrataError } from '../base/errors.js';
import { jsonPart, valuePart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { ArgumentSources, BuiltArguments } from '../types/prompt-arguments.js';
import { compilePrompt, splitPrompt } from './compile.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { CompiledPrompt } from '../types/compiled-prompt.js';
import { WasmResponseAssembler } from './response.js';
import { CompiledTemplate } from './template.js';
import { OpenThread } from './thread.js';
import type { CachePlan, CacheRequest } from '../types/cache-plan.js';
import type { Report, Span } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type { LintOptions, RepairOptions, Repaired } from '../types/lint.js';
import type { ModelLimits } from '../types/model.js';
import type { ResponseAssembler, ResponseOptions } from '../types/response.js';
import type { Strata } from '../types/strata.js';
import type { Template, TemplateOptions } from '../types/template.js';
import type { Thread, ThreadOptions } from '../types/thread.js';
import type { Calibration, EstimateOptions } from '../types/tokens.js';
import { version } from '../base/version.js';

// `lint` accepts the options of `repair`, so that callers can share them.
const lintOptions: must.Shape<RepairOptions> = {
  model: must.nonEmptyString,
  backend: must.optional(must.backend),
  cache: must.shape<NonNullable<LintOptions['cache']>>({
    model: must.nonEmptyString,
    tokens: must.optional(must.count),
  }),
  signaturesFrom: must.optional(must.provenance),
  dummySignatures: must.optional(must.boolean),
};

// Reports a body that cannot be passed to the core as a finding; rethrows other errors.
function unreadable(error: unknown): Repaired {
  const bodyErrors = ['json.invalid', 'size.too_large'];
  if (!(error instanceof StrataError && bodyErrors.includes(error.code))) throw error;
  return { ok: false, diagnostics: error.diagnostics, body: new Uint8Array(0) };
}

const calibration = must.shape<Calibration>({
  text: must.optional(must.nonNegative),
  data: must.optional(must.nonNegative),
  seen: must.optional(must.nonNegative),
});
const estimateOptions: must.Shape<EstimateOptions> = {
  model: must.optional(must.string),
  calibration,
};
const responseOptions: must.Shape<ResponseOptions> = { redact: must.optional(must.func) };

// Values from a clock, a registry or the API are not validated: the planner ignores invalid ones.
const cacheRequest: must.Shape<CacheRequest> = {
  model: must.nonEmptyString,
  now: must.unchecked,
  promptTokens: must.number,
  cacheableTokens: must.number,
  cache: must.unchecked,
  minimumTokens: must.unchecked,
  last: must.unchecked,
  state: must.unchecked,
};

/** Implements `Strata`. */
export class LoadedStrata implements Strata {
  readonly version = version;
  readonly #instance: Instance;

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  lint(body: JsonInput, options: LintOptions): Report {
    const { core } = this.#instance;
    const { ok, diagnostics } = this.#check(body, options, () => core.lint());
    return { ok, diagnostics };
  }

  repair(body: JsonInput, options: RepairOptions): Repaired {
    const { core } = this.#instance;
    return this.#check(body, options, () => core.repair());
  }

  #check(body: JsonInput, options: LintOptions, action: () => void): Repaired {
    must.checkOptions(options, lintOptions);
    try {
      const parts = [jsonPart(body), valuePart(options)];
      const { document, bytes } = this.#instance.call<Report>(parts, action);
      return { ...document, body: bytes };
    } catch (error) {
      return unreadable(error);
    }
  }

  locate(text: string | Uint8Array, pointers: readonly string[]): (Span | undefined)[] {
    const { core } = this.#instance;
    const parts = [text, valuePart(pointers)];
    const { document } = this.#instance.call<{ places: ([number, number] | null)[] }>(parts, () =>
      core.locate(),
    );
    return document.places.map((place) => (place ? { start: place[0], end: place[1] } : undefined));
  }

  template(source: string, options: TemplateOptions = {}): Template {
    must.string(source, '/source');
    return CompiledTemplate.compile(this.#instance, source, options);
  }

  thread(options: ThreadOptions): Thread {
    return OpenThread.open(this.#instance, options);
  }

  response(options: ResponseOptions = {}): ResponseAssembler {
    must.checkOptions(options, responseOptions);
    return new WasmResponseAssembler(this.#instance, options);
  }

  modelLimits(model: string): ModelLimits {
    must.nonEmptyString(model, '/model');
    const { core } = this.#instance;
    const options = valuePart({ model });
    return this.#instance.call<ModelLimits>([options], () => core.modelLimits()).document;
  }

  planCache(request: CacheRequest): CachePlan {
    must.checkOptions(request, cacheRequest);
    const { core } = this.#instance;
    return this.#instance.call<CachePlan>([valuePart(request)], () => core.planCache()).document;
  }

  compile(input: PromptInput): CompiledPrompt {
    return compilePrompt(this.#instance, input);
  }

  splitPrompt(full: string): { stable: string; dynamic: string } | null {
    return splitPrompt(this.#instance, full);
  }

  promptArguments(sources: ArgumentSources): BuiltArguments {
    const { core } = this.#instance;
    const action = () => core.promptArguments();
    return this.#instance.call<BuiltArguments>([jsonPart(sources)], action).document;
  }

  fingerprint(text: string | Uint8Array): string {
    const { core } = this.#instance;
    const { document } = this.#instance.call<{ fingerprint: string }>([text], () =>
      core.fingerprint(),
    );
    return document.fingerprint;
  }

  estimateTokens(content: Countable, options: EstimateOptions = {}): number {
    const { core } = this.#instance;
    must.checkOptions(options, estimateOptions);
    return this.#measure<{ tokens: number }>(content, options, () => core.estimate()).tokens;
  }

  calibrate(content: Countable, tokens: number, options: EstimateOptions = {}): Calibration {
    const { core } = this.#instance;
    must.number(tokens, '/tokens');
    must.checkOptions(options, estimateOptions);
    return this.#measure<Calibration>(content, { ...options, tokens }, () => core.calibrate());
  }

  #measure<Document>(content: Countable, options: object, action: () => void): Document {
    const measureOptions = valuePart({ ...options, plain: typeof content === 'string' });
    return this.#instance.call<Document>([jsonPart(content), measureOptions], action).document;
  }
}

type Countable = string | object | Uint8Array;
