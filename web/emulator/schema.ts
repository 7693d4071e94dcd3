// Reads schemas, in the dialect of OpenAPI or of JSON Schema.
import type { JsonObject } from './types.js';
import { field, isObject, objectField, objectsField } from './wire.js';

/** Matches names of properties that take the whole text instead of a name in it. */
export const fullTextName =
  /quer|question|text|prompt|content|message|instruct|request|body|note|sentence/i;

/** Returns the first alternative of `anyOf` or `oneOf` that is not null. */
export function firstAlternative(schema: JsonObject): JsonObject | undefined {
  const choices = [...objectsField(schema, 'anyOf'), ...objectsField(schema, 'oneOf')];
  return choices.find((choice) => typeOf(choice) !== 'null') ?? choices[0];
}

/** Returns the type in lower case. A missing type is inferred from `properties` or `items`, else it is `string`. */
export function typeOf(schema: JsonObject): string {
  const type = schema['type'];
  const named = Array.isArray(type) ? type.find((entry) => entry !== 'null') : type;
  if (typeof named === 'string') return named.toLowerCase();
  return isObject(schema['properties']) ? 'object' : isObject(schema['items']) ? 'array' : 'string';
}

/** Returns the strings of `enum`. */
export function enumOf(schema: JsonObject): string[] {
  const choices = schema['enum'];
  return Array.isArray(choices) ? choices.filter((entry) => typeof entry === 'string') : [];
}

/** Returns the names in `required`. */
export function requiredOf(schema: JsonObject): string[] {
  const required = schema['required'];
  return Array.isArray(required) ? required.filter((entry) => typeof entry === 'string') : [];
}

/** Returns the properties in the order of an answer: by `propertyOrdering`, then as declared. */
export function propertiesOf(schema: JsonObject): [string, JsonObject][] {
  const properties = Object.entries(objectField(schema, 'properties') ?? {});
  const ordering = field(schema, 'propertyOrdering');
  const order = Array.isArray(ordering) ? ordering : [];
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return properties
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** Returns the only property that takes a name. Several names in the text then yield several calls. */
export function subjectProperty(schema: JsonObject): string | undefined {
  const required = requiredOf(schema);
  const candidates = propertiesOf(schema)
    .filter(([name]) => required.length === 0 || required.includes(name))
    .filter(([name, property]) => isFreeText(property) && !fullTextName.test(name));
  return candidates.length === 1 ? candidates[0]?.[0] : undefined;
}

function isFreeText(schema: JsonObject): boolean {
  const constraint = schema['const'] ?? schema['default'] ?? schema['format'] ?? schema['enum'];
  return constraint === undefined && typeOf(schema) === 'string';
}
