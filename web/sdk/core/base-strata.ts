// Implements what every module of the core offers.
import type { Instance } from './instance.js';
import { StrataError } from '../internal/errors.js';
import { jsonPart, optionsPart, type FramePart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import { WasmResponseAssembler } from './response.js';
import type { Report } from '../types/diagnostic.js';
import type { JsonInput } from '../types/json.js';
import type { LintOptions, Repaired } from '../types/lint.js';
import type { ModelLimits, ServiceOptions } from '../types/model.js';
import type { ResponseAssembler, ResponseOptions } from '../types/response.js';
import type { Countable, Strata } from '../types/strata.js';
import type { Calibration, EstimateOptions } from '../types/usage.js';
import { version } from '../internal/version.js';

// Reports a body that cannot be passed to the core as a finding; rethrows other errors.
function unreadable(error: unknown): Repaired {
  const bodyErrors = ['json.invalid', 'size.too_large'];
  if (!(error instanceof StrataError && bodyErrors.includes(error.code))) throw error;
  return { ok: false, diagnostics: error.diagnostics, body: new Uint8Array(0) };
}

type CommonStrata = Pick<
  Strata,
  'version' | 'lint' | 'response' | 'modelLimits' | 'estimateTokens' | 'calibrate'
>;

const responseOptions: must.Shape<ResponseOptions> = { redact: must.optional(must.func) };

/** Implements what `Strata`, `LiteStrata` and `GatewayCore` have in common. */
export class BaseStrata implements CommonStrata {
  readonly version = version;
  protected readonly instance: Instance;

  constructor(instance: Instance) {
    this.instance = instance;
  }

  lint(body: JsonInput, options: LintOptions): Report {
    const { core } = this.instance;
    const { ok, diagnostics } = this.check(body, options, () => core.lint());
    return { ok, diagnostics };
  }

  protected check(body: JsonInput, options: LintOptions, action: () => void): Repaired {
    try {
      const parts = this.bodyParts(body, options);
      const { document, bytes } = this.instance.call<Report>(parts, action);
      return { ...document, body: bytes };
    } catch (error) {
      return unreadable(error);
    }
  }

  protected bodyParts(body: JsonInput, options: LintOptions): FramePart[] {
    const part = jsonPart(body);
    // Nobody has seen the text of a value, so nothing in it has a range.
    const isValue = typeof part === 'string' && part !== body;
    return [part, optionsPart(options), isValue ? 'value' : undefined];
  }

  response(options: ResponseOptions = {}): ResponseAssembler {
    must.checkOptions(options, responseOptions);
    return new WasmResponseAssembler(this.instance, options);
  }

  modelLimits(model: string, options: ServiceOptions = {}): ModelLimits {
    must.object(options, '');
    const { core } = this.instance;
    const parts = [optionsPart({ ...options, model })];
    return this.instance.call<ModelLimits>(parts, () => core.modelLimits()).document;
  }

  estimateTokens(content: Countable, options: EstimateOptions = {}): number {
    const { core } = this.instance;
    return this.#measure<{ tokens: number }>(content, {}, options, () => core.estimate()).tokens;
  }

  calibrate(content: Countable, tokens: number, options: EstimateOptions = {}): Calibration {
    const { core } = this.instance;
    return this.#measure<Calibration>(content, { tokens }, options, () => core.calibrate());
  }

  #measure<Document>(content: Countable, args: object, options: object, action: () => void) {
    const plain = typeof content === 'string';
    const parts = [jsonPart(content), optionsPart(options), optionsPart({ ...args, plain })];
    return this.instance.call<Document>(parts, action).document;
  }
}
