// Implements `Strata`: one instance of the core.
import type { Instance } from './instance.js';
import { StrataError } from '../base/errors.js';
import { jsonPart, optionsPart, valuePart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { ArgumentSources, BuiltArguments } from '../types/prompt-arguments.js';
import { compilePrompt, splitPrompt } from './compile.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { CompiledPrompt, PromptManifest } from '../types/compiled-prompt.js';
import { WasmResponseAssembler } from './response.js';
import { CompiledTemplate } from './template.js';
import { OpenThread } from './thread.js';
import type { CachePlan, CacheRequest } from '../types/cache-plan.js';
import type { Report, Span } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type { LintOptions, RepairOptions, Repaired } from '../types/lint.js';
import type { ManifestDiff } from '../types/manifest-diff.js';
import type { Manifest } from '../types/manifest.js';
import type { ModelLimits, ServiceOptions } from '../types/model.js';
import type { ResponseAssembler, ResponseOptions } from '../types/response.js';
import type { Strata } from '../types/strata.js';
import type { Template, TemplateOptions } from '../types/template.js';
import type { Thread, ThreadOptions } from '../types/thread.js';
import type { Calibration, EstimateOptions } from '../types/tokens.js';
import { version } from '../base/version.js';

// Reports a body that cannot be passed to the core as a finding; rethrows other errors.
function unreadable(error: unknown): Repaired {
  const bodyErrors = ['json.invalid', 'size.too_large'];
  if (!(error instanceof StrataError && bodyErrors.includes(error.code))) throw error;
  return { ok: false, diagnostics: error.diagnostics, body: new Uint8Array(0) };
}

const responseOptions: must.Shape<ResponseOptions> = { redact: must.optional(must.func) };

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
    try {
      const parts = [jsonPart(body), optionsPart(options)];
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

  modelLimits(model: string, options: ServiceOptions = {}): ModelLimits {
    must.object(options, '');
    const { core } = this.#instance;
    const parts = [optionsPart({ ...options, model })];
    return this.#instance.call<ModelLimits>(parts, () => core.modelLimits()).document;
  }

  planCache(request: CacheRequest): CachePlan {
    const { core } = this.#instance;
    return this.#instance.call<CachePlan>([optionsPart(request)], () => core.planCache()).document;
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

  diffManifests(a: Manifest | PromptManifest, b: Manifest | PromptManifest): ManifestDiff {
    const { core } = this.#instance;
    const parts = [optionsPart(a), optionsPart(b)];
    return this.#instance.call<ManifestDiff>(parts, () => core.diffManifests()).document;
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
    return this.#measure<{ tokens: number }>(content, {}, options, () => core.estimate()).tokens;
  }

  calibrate(content: Countable, tokens: number, options: EstimateOptions = {}): Calibration {
    const { core } = this.#instance;
    return this.#measure<Calibration>(content, { tokens }, options, () => core.calibrate());
  }

  #measure<Document>(content: Countable, args: object, options: object, action: () => void) {
    const plain = typeof content === 'string';
    const parts = [jsonPart(content), optionsPart(options), optionsPart({ ...args, plain })];
    return this.#instance.call<Document>(parts, action).document;
  }
}

type Countable = string | object | Uint8Array;
