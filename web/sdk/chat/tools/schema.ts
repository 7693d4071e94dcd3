// Converts the schema of a tool or of an answer to JSON Schema, and validates values with it.
import { StrataError } from '../../internal/errors.js';
import { messageOf } from '../../internal/messages.js';
import { childPath, invalidOption } from '../../internal/options.js';
import { validatorName } from '../../internal/json.js';
import type { Diagnostic } from '../../types/diagnostic.js';
import type { Json } from '../../types/json.js';
import type { SchemaLike, StandardIssue, StandardSchema } from '../../types/schema.js';
import type { FunctionTool, SchemaIssue } from '../../types/tool.js';

/** A JSON Schema, as it is sent. */
export type SchemaJson = { [keyword: string]: Json };

/** Returns the form of a JSON Schema that the model takes, and what was changed. */
export type FitSchema = (schema: SchemaJson) => { schema: SchemaJson; diagnostics: Diagnostic[] };

/** The value that a schema yields, or what does not match. */
export type Validated = { value: unknown; issues?: undefined } | { issues: SchemaIssue[] };

const advice: { readonly [vendor: string]: string } = {
  zod: 'Use zod 4.2 or newer, or pass z.toJSONSchema(schema)',
  zod3: 'Use zod 4.2 or newer, or zod/v4 and pass z.toJSONSchema(schema), or pass zodToJsonSchema(schema) of zod-to-json-schema',
  valibot: 'Pass toStandardJsonSchema(schema) of @valibot/to-json-schema',
  arktype: 'Use arktype 2.1.28 or newer',
};

const isStandard = (schema: SchemaLike): schema is StandardSchema =>
  Object(schema['~standard' as never]).validate !== undefined;

const isZod3 = (schema: { _def?: { typeName?: unknown } }) =>
  typeof schema._def?.typeName === 'string';

// The library says what it cannot convert, such as a date.
const reasonOf = (cause: unknown) =>
  `${messageOf(cause)}. Use a type that JSON has, such as a string, and a transform`;

function conversionError(path: string, schema: unknown, cause?: unknown): StrataError {
  const vendor = validatorName(schema) ?? 'a library';
  const known = advice[isZod3(Object(schema)) ? 'zod3' : vendor] ?? 'Pass a JSON Schema';
  const reason = cause ? reasonOf(cause) : known;
  const message = `${path}: this schema of ${vendor} can't be written as JSON Schema. ${reason}`;
  return new StrataError('schema.not_convertible', message, [], cause);
}

function converted(schema: StandardSchema, path: string): object {
  const { jsonSchema } = schema['~standard'];
  if (!jsonSchema) throw conversionError(path, schema);
  try {
    return jsonSchema.input({ target: 'draft-2020-12' });
  } catch (cause) {
    throw conversionError(path, schema, cause);
  }
}

// An older library can neither convert a schema nor validate with it in a way that others know.
function checkLibrary(schema: SchemaLike, path: string): void {
  if (!isStandard(schema) && validatorName(schema)) throw conversionError(path, schema);
}

/**
 * Returns the JSON Schema of a schema. `path` is its JSON Pointer in the caller's options.
 *
 * @throws StrataError `schema.not_convertible` if it belongs to a library that cannot convert it; `field.invalid` if
 *   `required` is not an array of names
 */
export function jsonSchemaOf(schema: SchemaLike, path: string): SchemaJson {
  checkLibrary(schema, path);
  const json = isStandard(schema) ? converted(schema, path) : schema;
  // The API refuses the field `$schema`.
  const { $schema: _, ...fields } = json as SchemaJson;
  checkRequired(fields, path);
  return fields;
}

// Each value would fail.
function checkRequired({ required = [] }: SchemaJson, path: string): void {
  if (Array.isArray(required) && required.every((name) => typeof name === 'string')) return;
  throw invalidOption(`${path}/required`, "an array of names, such as ['city']");
}

/** What is declared in place of the `parametersJsonSchema` of a tool with a `schema`. */
export type DeclaredSchemas = Map<FunctionTool, SchemaJson | undefined>;

/**
 * Returns the JSON Schemas of the tools' `schema`, in the form of `fit`. Throws like `argumentsSchemaOf`.
 */
export function declareSchemas(
  tools: FunctionTool[],
  fit: FitSchema,
  emit: (diagnostic: Diagnostic) => void,
): DeclaredSchemas {
  const declared: DeclaredSchemas = new Map();
  for (const [index, tool] of tools.entries()) {
    if (!tool.schema) continue;
    declared.set(tool, undefined);
    const json = argumentsSchemaOf(tool);
    if (acceptsNothing(json)) continue;
    const { schema, diagnostics } = fit(json);
    const place = `/tools/0/functionDeclarations/${index}/parametersJsonSchema`;
    changesOf(diagnostics, place).forEach(emit);
    declared.set(tool, schema);
  }
  return declared;
}

const placeOf = ({ name }: FunctionTool) => `The schema of the tool ${name}`;
const objectSchema =
  "a schema of an object, whose members are the arguments: { type: 'object', properties: { … } }";

/**
 * Returns the JSON Schema of a tool's arguments. Throws like `jsonSchemaOf`.
 *
 * @throws StrataError `field.invalid` for a schema of anything but an object
 */
export function argumentsSchemaOf(tool: FunctionTool): SchemaJson {
  const { schema = {}, parametersJsonSchema } = tool;
  const place = placeOf(tool);
  checkLibrary(schema, place);
  const json = jsonSchemaOf((parametersJsonSchema as SchemaJson | undefined) ?? schema, place);
  const { type = 'object' } = json;
  // Google's reference writes OBJECT.
  const isObject = typeof type === 'string' && type.toLowerCase() === 'object';
  if (isObject && !isProperties(json)) return json;
  throw invalidOption(place, objectSchema);
}

// Google's reference writes STRING.
const typeName = /^(string|number|integer|boolean|object|array|null)$/i;
const isType = (type: unknown) => [type].flat().every((name) => typeName.test(String(name)));

// Keywords whose value may look like the schema of a property.
const schemaKeyword =
  /^(additionalProperties|propertyNames|not|if|then|else|items|contains|const)$/;

/** Returns whether these are properties without the schema around them: each is a type, or a schema with a type. */
const isProperties = ({ type, ...others }: SchemaJson): boolean =>
  type === undefined &&
  Object.keys(others).some((name) => !schemaKeyword.test(name)) &&
  Object.values(others).every((member) => isType(Object(member).type ?? member));

/**
 * Returns the JSON Schema of an answer.
 *
 * @throws StrataError `field.invalid` if it is none, and like `jsonSchemaOf`
 */
export function answerSchemaOf(schema: SchemaLike): SchemaJson {
  const json = jsonSchemaOf(schema, '/schema');
  if (isProperties(json))
    throw invalidOption('/schema', "a schema, such as { type: 'object', properties: { … } }");
  if (json['type'] !== undefined && !isType(json['type']))
    throw invalidOption('/schema/type', "the name of a type, such as 'object' or 'string'");
  return json;
}

/** Returns what was changed in a schema, with paths in the request. What was not is reported with each request. */
export const changesOf = (diagnostics: Diagnostic[], place: string): Diagnostic[] =>
  diagnostics
    .filter(({ repaired }) => repaired)
    .map((change) => ({ ...change, path: place + change.path }));

/**
 * Returns whether a schema accepts no arguments, so that its function is declared without parameters. One with another
 * keyword is declared, because it may be one that is misspelled.
 */
export function acceptsNothing({
  type: _,
  title: __,
  description: ___,
  properties,
  required,
  additionalProperties,
  ...others
}: SchemaJson): boolean {
  const members = [properties, required, others].flatMap((each) => Object.keys(Object(each)));
  return members.length === 0 && typeof additionalProperties !== 'object';
}

/** Validates a value. */
export async function validate(schema: SchemaLike, value: unknown): Promise<Validated> {
  if (isStandard(schema)) {
    const result = await schema['~standard'].validate(value);
    return result.issues ? { issues: result.issues.map(issueOf) } : { value: result.value };
  }
  const { jsonIssues } = await import('../../internal/json-schema.js');
  const issues = jsonIssues(schema, value);
  return issues.length > 0 ? { issues } : { value };
}

function issueOf({ message, path = [] }: StandardIssue): SchemaIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step));
  return { path: keys.reduce<string>((at, key) => childPath(at, String(key)), ''), message };
}

/** Returns the issues as text for the model. */
export const issuesText = (issues: readonly SchemaIssue[]): string =>
  issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
