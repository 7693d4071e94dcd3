// Reads schemas, and tells whether a value matches one.
import type { JsonObject } from './types.js';
import { field, isObject, objectField, objectsField } from './wire.js';
import type { Declaration } from './request-fields.js';

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

/** The score of a shared word, by where the declaration has it. */
const nameWeight = 3;
const descriptionWeight = 1;
const parameterWeight = 1;
const minScore = 3;

/** Words that do not distinguish functions. */
const stopWords = new Set(
  (
    'a about all an and any api are as at be by call can data do does for from function get gets give ' +
    'given has have how i id in info information into is it its list me my name new of on or our ' +
    'please provide provides return returns run set show some string take takes tell that the this ' +
    'to tool use used user uses value want what when where which who why will with you your'
  ).split(' '),
);

/** Returns the function that matches the text best, the first declared if several are equal. */
export function bestMatch(declarations: Declaration[], text: string): Declaration | undefined {
  const words = wordsOf(text);
  let best: Declaration | undefined;
  let bestScore = minScore - 1;
  for (const declaration of declarations) {
    const current = score(declaration, words);
    if (current > bestScore) [best, bestScore] = [declaration, current];
  }
  return best;
}

function score(declaration: Declaration, words: Set<string>): number {
  const parameters = propertiesOf(declaration.parameters).map(([name]) => name);
  return (
    nameWeight * countCommon(words, wordsOf(declaration.name)) +
    descriptionWeight * countCommon(words, wordsOf(declaration.description)) +
    parameterWeight * countCommon(words, wordsOf(parameters.join(' ')))
  );
}

function countCommon(a: Set<string>, b: Set<string>): number {
  let count = 0;
  for (const word of b) if (a.has(word)) count++;
  return count;
}

/** Returns the stems of all words except stop words. `get_weather` and `getWeather` are two words each. */
function wordsOf(text: string): Set<string> {
  const split = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  const words = split.match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)).map(stem));
}

/** Removes the suffixes of plurals, past forms and -ing forms. Sufficient for names of functions. */
function stem(word: string): string {
  return word.length < 5 ? word : word.replace(/(?:ings?|ies|ed|es|s|y|e)$/, '');
}
