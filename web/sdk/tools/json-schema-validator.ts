// Validates a value with a JSON Schema. It knows the keywords of draft 2020-12 that describe JSON; formats and
// unknown keywords accept every value.
import { isObject, type JsonFields } from '../base/json-object.js';
import { childPath } from '../base/options.js';
import type { JsonSchema } from '../types/json-schema.js';
import type { SchemaIssue } from '../types/tool.js';

type Schema = JsonSchema | boolean;

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const isOfType = (value: unknown, type: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

// Returns JSON whose bytes do not depend on the order of members.
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

const list = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(', ');

const lengthOf = (text: string): number => [...text].length;

/** Keywords whose value is a number. Each returns what a value that does not match must do. */
const limits: { readonly [keyword: string]: (value: unknown, limit: number) => false | string } = {
  minimum: (value, limit) => typeof value === 'number' && value < limit && `be at least ${limit}`,
  maximum: (value, limit) => typeof value === 'number' && value > limit && `be at most ${limit}`,
  exclusiveMinimum: (value, limit) =>
    typeof value === 'number' && value <= limit && `be more than ${limit}`,
  exclusiveMaximum: (value, limit) =>
    typeof value === 'number' && value >= limit && `be less than ${limit}`,
  multipleOf: (value, limit) =>
    typeof value === 'number' && !isMultiple(value, limit) && `be a multiple of ${limit}`,
  minLength: (value, limit) =>
    typeof value === 'string' && lengthOf(value) < limit && `have at least ${limit} characters`,
  maxLength: (value, limit) =>
    typeof value === 'string' && lengthOf(value) > limit && `have at most ${limit} characters`,
  minItems: (value, limit) =>
    Array.isArray(value) && value.length < limit && `have at least ${limit} items`,
  maxItems: (value, limit) =>
    Array.isArray(value) && value.length > limit && `have at most ${limit} items`,
  minProperties: (value, limit) =>
    isObject(value) && Object.keys(value).length < limit && `have at least ${limit} members`,
  maxProperties: (value, limit) =>
    isObject(value) && Object.keys(value).length > limit && `have at most ${limit} members`,
};

// 0.3 is a multiple of 0.1, although their quotient is not an integer.
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Collects what does not match. */
class Validation {
  readonly issues: SchemaIssue[] = [];
  readonly #root: Schema;
  /** References that are being followed at a path, since a schema may refer to itself. */
  readonly #following: Set<string>;

  constructor(root: Schema, following = new Set<string>()) {
    this.#root = root;
    this.#following = following;
  }

  check(schema: Schema, value: unknown, path: string): void {
    if (schema === false) this.#add(path, 'is not allowed');
    if (!isObject(schema)) return;
    this.#checkReference(schema, value, path);
    this.#checkValue(schema, value, path);
    this.#checkCombinations(schema, value, path);
    if (isObject(value)) this.#checkMembers(schema, value, path);
    if (Array.isArray(value)) this.#checkItems(schema, value, path);
  }

  #add(path: string, message: string): void {
    this.issues.push({ path, message });
  }

  #accepts(schema: Schema, value: unknown, path: string): boolean {
    return this.#issuesOf(schema, value, path).length === 0;
  }

  #issuesOf(schema: Schema, value: unknown, path: string): SchemaIssue[] {
    const attempt = new Validation(this.#root, this.#following);
    attempt.check(schema, value, path);
    return attempt.issues;
  }

  #checkReference({ $ref: reference }: JsonFields, value: unknown, path: string): void {
    if (typeof reference !== 'string') return;
    const target = resolve(this.#root, reference);
    const step = `${path} ${reference}`;
    if (target === undefined || this.#following.has(step)) return;
    this.#following.add(step);
    this.check(target, value, path);
    this.#following.delete(step);
  }

  #checkValue(schema: JsonSchema, value: unknown, path: string): void {
    const { type, pattern, uniqueItems, nullable } = schema;
    // The core declares Google's `nullable` as a union with null, and its type names in lower case.
    if (nullable === true && value === null) return;
    const types =
      type === undefined ? type : [type].flat().map((name) => String(name).toLowerCase());
    if (types && !types.some((name) => isOfType(value, name))) {
      this.#add(path, `must be of type ${types.join(' or ')}, not ${typeOf(value)}`);
    }
    if (schema.enum && !schema.enum.some((each) => canonical(each) === canonical(value)))
      this.#add(path, `must be one of ${list(schema.enum)}`);
    if ('const' in schema && canonical(schema.const) !== canonical(value))
      this.#add(path, `must be ${list([schema.const])}`);
    if (typeof pattern === 'string' && typeof value === 'string' && !matches(pattern, value))
      this.#add(path, `must match the pattern ${pattern}`);
    if (uniqueItems === true && Array.isArray(value)) {
      if (new Set(value.map(canonical)).size < value.length)
        this.#add(path, 'must not repeat items');
    }
    for (const [keyword, check] of Object.entries(limits)) {
      const limit = schema[keyword];
      const expected = typeof limit === 'number' && check(value, limit);
      if (expected) this.#add(path, `must ${expected}`);
    }
  }

  #checkCombinations(schema: JsonSchema, value: unknown, path: string): void {
    const { anyOf, oneOf, allOf = [], not, if: condition } = schema;
    for (const each of allOf) this.check(each, value, path);
    if (anyOf) this.#checkAlternatives(anyOf, value, path);
    if (oneOf) {
      const count = oneOf.filter((each) => this.#accepts(each, value, path)).length;
      if (count === 0) this.#checkAlternatives(oneOf, value, path);
      if (count > 1) this.#add(path, 'must match only one of the alternatives');
    }
    if (not !== undefined && this.#accepts(not as Schema, value, path))
      this.#add(path, 'is not allowed');
    if (condition === undefined) return;
    const branch = schema[this.#accepts(condition as Schema, value, path) ? 'then' : 'else'];
    if (branch !== undefined) this.check(branch as Schema, value, path);
  }

  // Reports the alternative that comes nearest: the one that fails deepest.
  #checkAlternatives(choices: readonly Schema[], value: unknown, path: string): void {
    const failures = choices.map((choice) => this.#issuesOf(choice, value, path));
    if (failures.some((issues) => issues.length === 0)) return;
    const inside = failures.filter((issues) => issues.every((issue) => issue.path !== path));
    if (inside.length === 1) return void this.issues.push(...(inside[0] ?? []));
    const words = failures.flat().filter((issue) => issue.path === path);
    const reasons = [...new Set(words.map(({ message }) => message))].join(', or ');
    this.#add(path, reasons || 'must match one of the alternatives');
  }

  #checkMembers(schema: JsonSchema, value: JsonFields, path: string): void {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    const patterns = Object.entries<Schema>(Object(schema['patternProperties']));
    for (const name of required)
      if (!Object.hasOwn(value, name)) this.#add(childPath(path, name), 'is missing');
    for (const [name, member] of Object.entries(value)) {
      const at = childPath(path, name);
      const known = Object.hasOwn(properties, name) ? [properties[name] as Schema] : [];
      const matching = patterns.filter(([pattern]) => matches(pattern, name)).map(([, own]) => own);
      for (const each of [...known, ...matching]) this.check(each, member, at);
      if (known.length + matching.length === 0 && additionalProperties !== undefined)
        this.check(additionalProperties, member, at);
      if (propertyNames !== undefined) this.check(propertyNames as Schema, name, at);
    }
  }

  #checkItems(schema: JsonSchema, value: readonly unknown[], path: string): void {
    const { items } = schema;
    // Before draft 2020-12, `items` was a list of schemas by place.
    const leading = (Array.isArray(items) ? items : (schema['prefixItems'] ?? [])) as Schema[];
    const others = (Array.isArray(items) ? schema['additionalItems'] : items) as Schema | undefined;
    value.forEach((item, index) => {
      const own = leading[index] ?? others;
      if (own !== undefined) this.check(own, item, `${path}/${index}`);
    });
  }
}

// An expression of another dialect accepts every text.
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

// Returns what a reference within the schema names.
function resolve(root: Schema, reference: string): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const keys = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  const names = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => Object(at)[name], root) as Schema | undefined;
}

/** Returns what of `value` does not match `schema`. */
export function jsonIssues(schema: JsonSchema, value: unknown): SchemaIssue[] {
  const validation = new Validation(schema);
  validation.check(schema, value, '');
  return validation.issues;
}
