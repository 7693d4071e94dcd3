// Declares schemas: JSON Schema with the types that it describes, those of validator libraries, and how one is fitted
// to a model.
import type { Json } from './json.js';
import type { ServiceOptions } from './model.js';
import type { Diagnostic } from './diagnostic.js';

/** The name of a JSON Schema type. */
export type JsonSchemaType =
  'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** A JSON Schema. Write it in place, or with `as const`, so that the type of its values can be derived. */
export interface JsonSchema {
  readonly type?: JsonSchemaType | (string & {}) | readonly string[];
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema | boolean };
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly (JsonSchema | boolean)[];
  readonly oneOf?: readonly (JsonSchema | boolean)[];
  readonly allOf?: readonly (JsonSchema | boolean)[];
  readonly [keyword: string]: unknown;
}

/** A schema of a validator library, or a JSON Schema. */
export type SchemaLike = StandardSchema | JsonSchema;

/**
 * The type of the values that a schema yields: the output of a validator library's schema, or what a JSON Schema
 * describes. Keywords that limit a type, such as `minLength`, have no effect on it. `$ref` yields `Json`.
 *
 * @example
 * const city = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
 * type City = InferOutput<typeof city>; // { name: string }
 */
export type InferOutput<Schema> = Schema extends StandardSchema
  ? NonNullable<Schema['~standard']['types']>['output']
  : FromJsonSchema<Schema>;

type FromJsonSchema<S> = S extends { readonly const: infer Value }
  ? Writable<Value>
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Writable<Value>
    : S extends { readonly anyOf: readonly (infer Choice)[] }
      ? FromJsonSchema<Choice>
      : S extends { readonly oneOf: readonly (infer Choice)[] }
        ? FromJsonSchema<Choice>
        : S extends { readonly allOf: readonly (infer Each)[] }
          ? Intersection<Each extends unknown ? { value: FromJsonSchema<Each> } : never>
          : S extends { readonly type: readonly (infer Name)[] }
            ? OfType<Name, S>
            : S extends { readonly type: infer Name }
              ? OfType<Name, S>
              : S extends { readonly properties: object }
                ? ObjectOf<S>
                : Json;

type OfType<Name, S> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? S extends { readonly items: infer Item }
            ? FromJsonSchema<Item>[]
            : Json[]
          : Name extends 'object'
            ? ObjectOf<S>
            : Json;

type ObjectOf<S> = S extends { readonly properties: infer Members }
  ? Flat<
      {
        -readonly [
          Name in keyof Members as Name extends RequiredName<S> ? Name : never
        ]: FromJsonSchema<Members[Name]>;
      } & {
        -readonly [
          Name in keyof Members as Name extends RequiredName<S> ? never : Name
        ]?: FromJsonSchema<Members[Name]>;
      }
    >
  : S extends { readonly additionalProperties: infer Value }
    ? { [name: string]: FromJsonSchema<Value> }
    : { [name: string]: Json };

type RequiredName<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

// Shows the members of an intersection as one object.
type Flat<T> = { [Name in keyof T]: T[Name] };

type Writable<T> = T extends object ? { -readonly [Name in keyof T]: Writable<T[Name]> } : T;

// `{ value: A } | { value: B }` becomes `A & B`.
type Intersection<Boxed> = (Boxed extends unknown ? (box: Boxed) => void : never) extends (
  box: infer All,
) => void
  ? All extends { value: infer Value }
    ? Value
    : never
  : never;

/** A schema of a validator library: zod 4.2 or newer, arktype, valibot through `@valibot/to-json-schema`, and others. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Converts the schema to JSON Schema. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => { [keyword: string]: unknown } }
      | undefined;
  };
}

/** The result of `validate`: the value, which the schema may have transformed, or what is wrong. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One mismatch. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

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
