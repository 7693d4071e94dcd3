// Defines the options and the result of `Strata.schema`.
import type { ServiceOptions } from './model.js';
import type { Diagnostic } from './diagnostic.js';
import type { Json } from './json.js';

/** Options of `Strata.schema`. */
export interface SchemaOptions extends ServiceOptions {
  /** The model that receives the schema, with or without `models/`. */
  model: string;
}

/** The result of `Strata.schema`. */
export interface FittedSchema {
  /** An equivalent JSON Schema for `parametersJsonSchema` or `responseJsonSchema`. */
  schema: { [key: string]: Json };
  /** What was changed (`repaired: true`, with paths in the given schema), then what the model may ignore or the API may refuse. */
  diagnostics: Diagnostic[];
}
