// Why this file exists: what one instance of the core can do, under its public names.
import type { Part } from './frame.js';
import type { Instance } from './instance.js';
import {
  backends,
  checkChoice,
  checkNames,
  jsonPart,
  type NamesOf,
  valuePart,
} from './json-input.js';
import type { ArgumentSources, BuiltArguments } from './prompt/arguments.js';
import { compilePrompt, splitPrompt } from './prompt/compile.js';
import type { PromptInput } from './prompt/input.js';
import type { CompiledPrompt } from './prompt/manifest.js';
import { Response } from './response.js';
import { CompiledTemplate } from './template.js';
import { OpenThread } from './thread.js';
import type {
  CachePlan,
  CacheRequest,
  Calibration,
  EstimateOptions,
  JsonInput,
  LintOptions,
  RepairOptions,
  Repaired,
  ModelLimits,
  Report,
  Span,
  ResponseAssembler,
  ResponseOptions,
  Strata,
  Template,
  TemplateOptions,
  Thread,
  ThreadOptions,
} from './types.js';
import { version } from './version.js';

// Also of `lint`: who gives both the same options is right.
const lintNames: NamesOf<RepairOptions> = {
  model: true,
  backend: true,
  cache: true,
  signaturesFrom: true,
  dummySignatures: true,
};

// What can't even be written as JSON is a finding like any other.
function unreadable(error: unknown): Report {
  const message = error instanceof Error ? error.message : String(error);
  const finding = { code: 'json.invalid', severity: 'error', path: '', message } as const;
  return { ok: false, diagnostics: [finding] };
}

export class LoadedStrata implements Strata {
  readonly version = version;
  readonly #instance: Instance;

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  lint(body: JsonInput, options: LintOptions): Report {
    const { core } = this.#instance;
    const { ok, diagnostics } = this.#judge(body, options, () => core.lint());
    return { ok, diagnostics };
  }

  repair(body: JsonInput, options: RepairOptions): Repaired {
    const { core } = this.#instance;
    return this.#judge(body, options, () => core.repair());
  }

  #judge(body: JsonInput, options: LintOptions, action: () => void): Repaired {
    checkNames<RepairOptions>(options, lintNames);
    checkChoice(options, 'backend', backends);
    let part: Part;
    try {
      part = jsonPart(body);
    } catch (error) {
      return { ...unreadable(error), body: new Uint8Array(0) };
    }
    const { document, bytes } = this.#instance.call<Report>([part, valuePart(options)], action);
    return { ...document, body: bytes };
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
    return CompiledTemplate.compile(this.#instance, source, options);
  }

  thread(options: ThreadOptions): Thread {
    return OpenThread.open(this.#instance, options);
  }

  response(options: ResponseOptions = {}): ResponseAssembler {
    return new Response(this.#instance, options);
  }

  modelLimits(model: string): ModelLimits {
    const { core } = this.#instance;
    const about = valuePart({ model });
    return this.#instance.call<ModelLimits>([about], () => core.modelLimits()).document;
  }

  planCache(request: CacheRequest): CachePlan {
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
    return this.#measure<{ tokens: number }>(content, options, () => core.estimate()).tokens;
  }

  calibrate(content: Countable, tokens: number, options: EstimateOptions = {}): Calibration {
    const { core } = this.#instance;
    return this.#measure<Calibration>(content, { ...options, tokens }, () => core.calibrate());
  }

  #measure<Document>(content: Countable, options: object, action: () => void): Document {
    const about = valuePart({ ...options, plain: typeof content === 'string' });
    return this.#instance.call<Document>([jsonPart(content), about], action).document;
  }
}

type Countable = string | object | Uint8Array;
