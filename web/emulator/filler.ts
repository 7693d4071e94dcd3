// Why this file exists: values that fit a schema, for the arguments of calls and for JSON answers.
import type { Json } from '../sdk/types/json.js';
import { enumOf, firstAlternative, propertiesOf, requiredOf, typeOf, wholeText } from './schema.js';
import type { JsonObject } from './types.js';
import type { Values } from './values.js';
import { isObject, numberField, objectField, textField } from './wire.js';

/** Deeper than any schema that ends; one that names itself is cut here. */
const maxDepth = 12;

/** More values than an answer needs; schemas that name themselves twice would write millions. */
const mostValues = 500;

const longestText = 400;

/** Writes values for one call or answer; each text, number and date of the source is used in turn. */
export class SchemaFiller {
  readonly #root: JsonObject;
  readonly #source: Values;
  readonly #today: string;
  readonly #texts: string[];
  readonly #numbers: number[];
  readonly #dates: string[];
  #values = 0;

  /** `root` is where `$ref` points into; `today` is the date where the source has none. */
  constructor(root: JsonObject, source: Values, today: string) {
    this.#root = root;
    this.#source = source;
    this.#today = today;
    this.#texts = source.groups.flat();
    this.#numbers = [...source.numbers];
    this.#dates = [...source.dates];
  }

  /** A value for the schema; `name` is the field it is for. */
  fill(schema: JsonObject, name: string, depth = 0): Json {
    const resolved = this.#resolve(schema);
    if (depth > maxDepth || ++this.#values > mostValues) return null;
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

  /** What is required, and what the source speaks of; all fields where none is required. */
  object(schema: JsonObject, depth = 0): JsonObject {
    const properties = propertiesOf(schema);
    const required = requiredOf(schema);
    const result: JsonObject = {};
    for (const [name, property] of properties) {
      const wanted = required.length === 0 || required.includes(name) || this.#mentions(property);
      if (wanted) result[name] = this.fill(property, name, depth + 1);
    }
    return result;
  }

  #resolve(schema: JsonObject): JsonObject {
    let current = schema;
    for (let step = 0; step < maxDepth; step++) {
      const next = this.#pointed(textField(current, '$ref')) ?? firstAlternative(current);
      if (!next) break;
      current = next;
    }
    return current;
  }

  #pointed(reference: string | undefined): JsonObject | undefined {
    if (!reference?.startsWith('#')) return undefined;
    let at: unknown = this.#root;
    for (const step of reference.split('/').slice(1)) at = isObject(at) ? at[step] : undefined;
    return isObject(at) ? at : undefined;
  }

  /** An optional enum whose value stands in the source. */
  #mentions(schema: JsonObject): boolean {
    return this.#mentioned(enumOf(schema)) !== undefined;
  }

  #mentioned(choices: string[]): string | undefined {
    return choices.find((choice) => hasWords(this.#source.text, choice.replaceAll('_', ' ')));
  }

  #array(schema: JsonObject, name: string, depth: number): Json[] {
    const items = objectField(schema, 'items') ?? {};
    const least = numberField(schema, 'minItems') ?? 1;
    const most = numberField(schema, 'maxItems') ?? Infinity;
    const offered = typeOf(this.#resolve(items)) === 'string' ? this.#texts.length : 1;
    const count = Math.min(Math.max(least, offered, 1), most, 100);
    return Array.from({ length: count }, () => this.fill(items, name, depth + 1));
  }

  #number(schema: JsonObject): number {
    const least = numberField(schema, 'minimum') ?? -Infinity;
    const most = numberField(schema, 'maximum') ?? Infinity;
    const found = this.#numbers.shift() ?? numberField(schema, 'default') ?? 1;
    const inside = Math.min(Math.max(found, least), most);
    return typeOf(schema) === 'integer' ? Math.round(inside) : inside;
  }

  #string(schema: JsonObject, name: string): string {
    const choices = enumOf(schema);
    if (choices.length > 0) return this.#mentioned(choices) ?? choices[0] ?? '';
    const format = textField(schema, 'format');
    if (format === 'date') return this.#date();
    if (format === 'date-time') return `${this.#date()}T00:00:00Z`;
    const found = wholeText.test(name) ? undefined : this.#nextText();
    const text = found ?? textField(schema, 'default') ?? (this.#source.text || 'example');
    const longest = numberField(schema, 'maxLength') ?? longestText;
    return [...text].slice(0, longest).join('');
  }

  #date(): string {
    return this.#dates.shift() ?? this.#today;
  }

  /** Names in turn; the last of them again where there are more fields than names. */
  #nextText(): string | undefined {
    return this.#texts.shift() ?? this.#source.groups[0]?.at(-1);
  }
}

/** Whether `words` stand in `text` as words of their own, in any case. */
function hasWords(text: string, words: string): boolean {
  if (words === '') return false;
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu').test(text);
}
