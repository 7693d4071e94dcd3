// Defines the declaration of a function.
import type { OpenEnum } from './open-enum.js';
import type { Schema } from './schema.js';

/**
 * Declares a function that the model may call.
 *
 * @see https://ai.google.dev/api/caching#FunctionDeclaration
 */
export interface FunctionDeclaration {
  /** At most 64 characters: letters, digits, `_`, `.`, `:` and `-`. The first is a letter or `_`. */
  name?: string;
  /** What the function does, and when to call it. */
  description?: string;
  /** The arguments in the API's schema dialect. Set this or `parametersJsonSchema`. */
  parameters?: Schema;
  /** The arguments as JSON Schema. `Strata.schema` returns the form that a model takes. */
  parametersJsonSchema?: unknown;
  /** The result in the API's schema dialect. Set this or `responseJsonSchema`. */
  response?: Schema;
  /** The result as JSON Schema. */
  responseJsonSchema?: unknown;
  /** Whether the conversation waits for the result. Only for the Live API. */
  behavior?: OpenEnum<'UNSPECIFIED' | 'BLOCKING' | 'NON_BLOCKING'>;
}
