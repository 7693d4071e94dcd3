// Groups models that accept each other's thought signatures.
import type { ModelLimits, ServiceOptions } from '../../sdk/types/model.js';

/** What knows which model serves a name. */
interface ModelNames {
  modelLimits(model: string, options?: ServiceOptions): ModelLimits;
}

// The generations of src/catalogue/models.json, as src/lint/signature.cpp compares them: 3.8 differs from 3.6 in its
// config rules only, and gemini-3.5-flash-lite belongs to 3.6.
const families: readonly (readonly [RegExp, string])[] = [
  [/^gemini-(1\.|2\.0)/, 'gemini-2'],
  [/^gemini-2/, 'gemini-2.5'],
  [/^gemini-3(\.1)?-/, 'gemini-3'],
  [/^gemini-3\.5-flash(?!-lite)/, 'gemini-3'],
  [/^gemini-3\./, 'gemini-3.6'],
  [/^gemini-4/, 'gemini-4'],
];

// A tuned model and an endpoint have names that say nothing about the model behind them.
const ownName = /(^|\/)(tunedModels|endpoints)\//;

/**
 * Returns the family of a model, which accepts the signatures of its own models. A name may have `models/` or a path of
 * Vertex AI before it. A model that is not one of Gemini's, a tuned one and an endpoint are families of their own.
 */
export function modelFamily(model: string): string {
  if (ownName.test(model)) return model;
  const name = model.slice(model.lastIndexOf('/') + 1);
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}

/** Returns the family of the model that serves a name: an alias, or a name that Google routes to another model. */
export function servingFamily(
  core: ModelNames,
  model: string,
  service: Required<Pick<ServiceOptions, 'backend' | 'now'>>,
): string {
  if (ownName.test(model)) return model;
  return modelFamily(core.modelLimits(model, service).servedBy);
}
