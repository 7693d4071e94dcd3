// Defines the API's own schema dialect, a subset of OpenAPI 3.0.
import type { OpenEnum } from './open-enum.js';

/** The type of a value in a `Schema`. Lower case is accepted as well. */
export type SchemaType = OpenEnum<
  'TYPE_UNSPECIFIED' | 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT' | 'NULL'
>;

/**
 * A schema in the API's own dialect, a subset of OpenAPI 3.0. For JSON Schema use `parametersJsonSchema` and
 * `responseJsonSchema`.
 *
 * @see https://ai.google.dev/api/caching#Schema
 *
 * @example
 * const parameters: Schema = {
 *   type: 'OBJECT',
 *   properties: { city: { type: 'STRING', description: 'Such as Paris' } },
 *   required: ['city'],
 * };
 */
export interface Schema {
  type?: SchemaType;
  title?: string;
  description?: string;
  /** Such as `date-time`, `enum`, `int32`, `int64`, `float`, `double`. */
  format?: string;
  nullable?: boolean;
  /** The values of a STRING. */
  enum?: readonly string[];
  items?: Schema;
  properties?: { readonly [name: string]: Schema };
  /** The names of properties that must be present. */
  required?: readonly string[];
  /** The order in which the model writes properties. */
  propertyOrdering?: readonly string[];
  anyOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  /** The API writes 64-bit integers as strings, and reads numbers as well. */
  minItems?: number | string;
  maxItems?: number | string;
  minLength?: number | string;
  maxLength?: number | string;
  minProperties?: number | string;
  maxProperties?: number | string;
  /** A regular expression. */
  pattern?: string;
  /** Documents the value; the model does not use it by itself. */
  default?: unknown;
  example?: unknown;
  /** Whether properties without a schema are allowed, or their schema. Vertex AI only. */
  additionalProperties?: boolean | Schema;
  /** Refers to one of `defs`. Vertex AI only. */
  ref?: string;
  /** Schemas for `ref`. Vertex AI only. */
  defs?: { readonly [name: string]: Schema };
}
