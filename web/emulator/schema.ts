// Why this file exists: what a schema says, in OpenAPI's spelling or in JSON Schema's.
import type { JsonObject } from './types.js';
import { field, isObject, objectField, objectsField } from './wire.js';

/** Names of properties that want a text rather than a name out of it. */
export const wholeText =
  /quer|question|text|prompt|content|message|instruct|request|body|note|sentence/i;

/** The first of `anyOf` or `oneOf` that is not null. */
export function firstAlternative(schema: JsonObject): JsonObject | undefined {
  const choices = [...objectsField(schema, 'anyOf'), ...objectsField(schema, 'oneOf')];
  return choices.find((choice) => typeOf(choice) !== 'null') ?? choices[0];
}

/** In lower case; what is not said is told by what else is there. */
export function typeOf(schema: JsonObject): string {
  const type = schema['type'];
  const named = Array.isArray(type) ? type.find((entry) => entry !== 'null') : type;
  if (typeof named === 'string') return named.toLowerCase();
  return isObject(schema['properties']) ? 'object' : isObject(schema['items']) ? 'array' : 'string';
}

export function enumOf(schema: JsonObject): string[] {
  const choices = schema['enum'];
  return Array.isArray(choices) ? choices.filter((entry) => typeof entry === 'string') : [];
}

export function requiredOf(schema: JsonObject): string[] {
  const required = schema['required'];
  return Array.isArray(required) ? required.filter((entry) => typeof entry === 'string') : [];
}

/** The properties in the order an answer has them: `propertyOrdering` first, then as declared. */
export function propertiesOf(schema: JsonObject): [string, JsonObject][] {
  const properties = Object.entries(objectField(schema, 'properties') ?? {});
  const ordering = field(schema, 'propertyOrdering');
  const order = Array.isArray(ordering) ? ordering : [];
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return properties
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .sort(([a], [b]) => rank(a) - rank(b));
}

/** The one property that wants a name: several names in the text then mean several calls. */
export function subjectProperty(schema: JsonObject): string | undefined {
  const required = requiredOf(schema);
  const free = propertiesOf(schema)
    .filter(([name]) => required.length === 0 || required.includes(name))
    .filter(([name, property]) => isFreeText(property) && !wholeText.test(name));
  return free.length === 1 ? free[0]?.[0] : undefined;
}

function isFreeText(schema: JsonObject): boolean {
  const bound = schema['const'] ?? schema['default'] ?? schema['format'] ?? schema['enum'];
  return bound === undefined && typeOf(schema) === 'string';
}
