// Generates values that match a schema, for the arguments of functionCalls and for JSON answers.
import type { Json } from '../sdk/types/json.js';
import {
  enumOf,
  firstAlternative,
  propertiesOf,
  requiredOf,
  typeOf,
  fullTextName,
} from './schema.js';
import type { JsonObject } from './types.js';
import type { Values } from './values.js';
import { isObject, numberField, objectField, textField } from './wire.js';

/** The depth at which recursive schemas are cut off. */
const maxDepth = 12;

/** The maximum number of values. Without it, a doubly recursive schema would yield millions. */
const maxValues = 500;

const maxTextLength = 400;

/** Generates the values of one call or answer. Texts, numbers and dates of the source are used in order. */
export class SchemaFiller {
  readonly #root: JsonObject;
  readonly #source: Values;
  readonly #today: string;
  readonly #texts: string[];
  readonly #numbers: number[];
  readonly #dates: string[];
  #values = 0;

  /** `$ref` is resolved against `root`; `today` is the date to use if the source has none. */
  constructor(root: JsonObject, source: Values, today: string) {
    this.#root = root;
    this.#source = source;
    this.#today = today;
    this.#texts = source.groups.flat();
    this.#numbers = [...source.numbers];
    this.#dates = [...source.dates];
  }

  /** Returns a value for the schema of the field `name`. */
  fill(schema: JsonObject, name: string, depth = 0): Json {
    const resolved = this.#resolve(schema);
    if (depth > maxDepth || ++this.#values > maxValues) return null;
    if (resolved['const'] !== undefined) return resolved['const'];
    switch (typeOf(resolved)) {
      case 'object':
        return this.object(resolved, depth);
      case 'array':
        return this.#array(resolved, name, depth);
      case 'number':
      case 'integer':
        return this.#number(resolved);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return this.#string(resolved, name);
    }
  }

  /** Returns the required fields and those whose enum values the source names; all if none is required. */
  object(schema: JsonObject, depth = 0): JsonObject {
    const properties = propertiesOf(schema);
    const required = requiredOf(schema);
    const result: JsonObject = {};
    for (const [name, property] of properties) {
      const included =
        required.length === 0 || required.includes(name) || this.#mentionsEnumValue(property);
      if (included) result[name] = this.fill(property, name, depth + 1);
    }
    return result;
  }

  #resolve(schema: JsonObject): JsonObject {
    let current = schema;
    for (let step = 0; step < maxDepth; step++) {
      const next = this.#resolvePointer(textField(current, '$ref')) ?? firstAlternative(current);
      if (!next) break;
      current = next;
    }
    return current;
  }

  #resolvePointer(reference: string | undefined): JsonObject | undefined {
    if (!reference?.startsWith('#')) return undefined;
    let at: unknown = this.#root;
    for (const step of reference.split('/').slice(1)) at = isObject(at) ? at[step] : undefined;
    return isObject(at) ? at : undefined;
  }

  /** Whether the source contains one of the schema's enum values. */
  #mentionsEnumValue(schema: JsonObject): boolean {
    return this.#findMentioned(enumOf(schema)) !== undefined;
  }

  #findMentioned(choices: string[]): string | undefined {
    return choices.find((choice) => containsPhrase(this.#source.text, choice.replaceAll('_', ' ')));
  }

  #array(schema: JsonObject, name: string, depth: number): Json[] {
    const items = objectField(schema, 'items') ?? {};
    const min = numberField(schema, 'minItems') ?? 1;
    const max = numberField(schema, 'maxItems') ?? Infinity;
    const available = typeOf(this.#resolve(items)) === 'string' ? this.#texts.length : 1;
    const count = Math.min(Math.max(min, available, 1), max, 100);
    return Array.from({ length: count }, () => this.fill(items, name, depth + 1));
  }

  #number(schema: JsonObject): number {
    const min = numberField(schema, 'minimum') ?? -Infinity;
    const max = numberField(schema, 'maximum') ?? Infinity;
    const found = this.#numbers.shift() ?? numberField(schema, 'default') ?? 1;
    const clamped = Math.min(Math.max(found, min), max);
    return typeOf(schema) === 'integer' ? Math.round(clamped) : clamped;
  }

  #string(schema: JsonObject, name: string): string {
    const choices = enumOf(schema);
    if (choices.length > 0) return this.#findMentioned(choices) ?? choices[0] ?? '';
    const format = textField(schema, 'format');
    if (format === 'date') return this.#date();
    if (format === 'date-time') return `${this.#date()}T00:00:00Z`;
    const found = fullTextName.test(name) ? undefined : this.#nextText();
    const text = found ?? textField(schema, 'default') ?? (this.#source.text || 'example');
    const maxLength = numberField(schema, 'maxLength') ?? maxTextLength;
    return [...text].slice(0, maxLength).join('');
  }

  #date(): string {
    return this.#dates.shift() ?? this.#today;
  }

  /** Returns the next text of the source, or the last name of its first group once all are used. */
  #nextText(): string | undefined {
    return this.#texts.shift() ?? this.#source.groups[0]?.at(-1);
  }
}

/** Whether `text` contains `phrase` as whole words, ignoring case. */
function containsPhrase(text: string, phrase: string): boolean {
  if (phrase === '') return false;
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}
