// Asks an instance about models, tokens and schemas. The modules talk and check have these calls in common, but `calibrate`.
import { jsonPart, optionsPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { Instance } from './instance.js';
import type { RawAnswers, RawTalkModule } from './raw.js';
import type { JsonInput } from '../types/json.js';
import type { ModelLimits, ServiceOptions } from '../types/model.js';
import type { FittedSchema, SchemaOptions } from '../types/schema.js';
import type { Countable } from '../types/strata.js';
import type { Calibration, EstimateOptions } from '../types/usage.js';

/** Implements `Strata.modelLimits`. */
export function modelLimits(
  instance: Instance<RawAnswers>,
  model: string,
  options: ServiceOptions,
): ModelLimits {
  must.object(options, '');
  const parts = [optionsPart({ ...options, model })];
  return instance.call<ModelLimits>(parts, () => instance.core.modelLimits()).document;
}

/** Implements `Strata.schema`. */
export function fitSchema(
  instance: Instance<RawAnswers>,
  jsonSchema: JsonInput,
  options: SchemaOptions,
): FittedSchema {
  const parts = [jsonPart(jsonSchema), optionsPart(options)];
  return instance.call<FittedSchema>(parts, () => instance.core.schema()).document;
}

function measureParts(content: Countable, args: object, options: object) {
  const plain = typeof content === 'string';
  return [jsonPart(content), optionsPart(options), optionsPart({ ...args, plain })];
}

/** Implements `Strata.estimateTokens`. */
export function estimateTokens(
  instance: Instance<RawAnswers>,
  content: Countable,
  options: EstimateOptions,
): number {
  const parts = measureParts(content, {}, options);
  return instance.call<{ tokens: number }>(parts, () => instance.core.estimate()).document.tokens;
}

/** Implements `Strata.calibrate`. */
export function calibrate(
  instance: Instance<RawTalkModule>,
  content: Countable,
  tokens: number,
  options: EstimateOptions,
): Calibration {
  const parts = measureParts(content, { tokens }, options);
  return instance.call<Calibration>(parts, () => instance.core.calibrate()).document;
}
