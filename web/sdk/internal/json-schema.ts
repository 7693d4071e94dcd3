// Validates a value with a JSON Schema. It knows the keywords of draft 2020-12 that describe JSON; formats and
// unknown keywords accept every value.
import { isObject, type JsonFields } from './json.js';
import { childPath } from './options.js';
import type { JsonSchema } from '../types/schema.js';
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

// Ends the validation of a schema whose combinations multiply, such as `allOf` lists that double at each level.
const maxSteps = 1_000_000;

class TooManySteps extends Error {}

/**
 * Validates one value. What `$ref` names is checked once at each place of the value, so a recursive `anyOf` or `oneOf`
 * takes as many steps as the schema has parts, times those of the value.
 */
class Validation {
  readonly #root: Schema;
  /** The issues of a schema that `$ref` names, by path. */
  readonly #known = new Map<Schema, Map<string, readonly SchemaIssue[]>>();
  #steps = 0;

  constructor(root: Schema) {
    this.#root = root;
  }

  issuesOf(schema: Schema, value: unknown, path: string): readonly SchemaIssue[] {
    if (schema === false) return [{ path, message: 'is not allowed' }];
    if (!isObject(schema)) return [];
    const issues = [...this.#check(schema, value, path)];
    this.#steps += 1 + issues.length;
    if (this.#steps > maxSteps) throw new TooManySteps();
    return issues;
  }

  #issuesOfTarget(schema: Schema, value: unknown, path: string): readonly SchemaIssue[] {
    const known = this.#known.get(schema) ?? new Map<string, readonly SchemaIssue[]>();
    const found = known.get(path);
    if (found) return found;
    // Until it is known, a schema that refers to itself at the same place accepts the value.
    this.#known.set(schema, known.set(path, []));
    const issues = this.issuesOf(schema, value, path);
    known.set(path, issues);
    return issues;
  }

  *#check(schema: JsonSchema, value: unknown, path: string): Iterable<SchemaIssue> {
    const { $ref: reference } = schema as JsonFields;
    const target = typeof reference === 'string' ? resolve(this.#root, reference) : undefined;
    if (target !== undefined) yield* this.#issuesOfTarget(target, value, path);
    for (const message of wrongValue(schema, value)) yield { path, message };
    yield* this.#checkCombinations(schema, value, path);
    if (isObject(value)) yield* this.#checkMembers(schema, value, path);
    if (Array.isArray(value)) yield* this.#checkItems(schema, value, path);
  }

  *#checkCombinations(schema: JsonSchema, value: unknown, path: string): Iterable<SchemaIssue> {
    const { anyOf, oneOf, allOf = [], not, if: condition } = schema;
    const issuesOf = (each: unknown) => this.issuesOf(each as Schema, value, path);
    for (const each of allOf) yield* issuesOf(each);
    if (anyOf) yield* nearest(anyOf.map(issuesOf), path);
    if (oneOf) {
      const choices = oneOf.map(issuesOf);
      yield* nearest(choices, path);
      if (choices.filter((issues) => issues.length === 0).length > 1)
        yield { path, message: 'must match only one of the alternatives' };
    }
    if (not !== undefined && issuesOf(not).length === 0) yield { path, message: 'is not allowed' };
    if (condition === undefined) return;
    const branch = schema[issuesOf(condition).length === 0 ? 'then' : 'else'];
    if (branch !== undefined) yield* issuesOf(branch);
  }

  *#checkMembers(schema: JsonSchema, value: JsonFields, path: string): Iterable<SchemaIssue> {
    const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
    const patterns = Object.entries<Schema>(Object(schema['patternProperties']));
    for (const name of required)
      if (!Object.hasOwn(value, name)) yield { path: childPath(path, name), message: 'is missing' };
    for (const [name, member] of Object.entries(value)) {
      const at = childPath(path, name);
      const known = Object.hasOwn(properties, name) ? [properties[name] as Schema] : [];
      const matching = patterns.filter(([pattern]) => matches(pattern, name)).map(([, own]) => own);
      for (const each of [...known, ...matching]) yield* this.issuesOf(each, member, at);
      if (known.length + matching.length === 0 && additionalProperties !== undefined)
        yield* this.issuesOf(additionalProperties, member, at);
      if (propertyNames !== undefined)
        yield* this.issuesOf(propertyNames as Schema, name, at + nameOf);
    }
  }

  *#checkItems(schema: JsonSchema, value: readonly unknown[], path: string): Iterable<SchemaIssue> {
    const { items } = schema;
    // Before draft 2020-12, `items` was a list of schemas by place.
    const leading = (Array.isArray(items) ? items : (schema['prefixItems'] ?? [])) as Schema[];
    const others = (Array.isArray(items) ? schema['additionalItems'] : items) as Schema | undefined;
    for (const [index, item] of value.entries()) {
      const own = leading[index] ?? others;
      if (own !== undefined) yield* this.issuesOf(own, item, `${path}/${index}`);
    }
  }
}

// Tells the path of a member's name from that of the member. No JSON Pointer ends in it.
const nameOf = '~';

/** What the keywords for one value say about it. */
function* wrongValue(schema: JsonSchema, value: unknown): Iterable<string> {
  const { type, pattern, uniqueItems, nullable } = schema;
  // The core declares Google's `nullable` as a union with null, and its type names in lower case.
  if (nullable === true && value === null) return;
  const types = type === undefined ? type : [type].flat().map((name) => String(name).toLowerCase());
  if (types && !types.some((name) => isOfType(value, name)))
    yield `must be of type ${types.join(' or ')}, not ${typeOf(value)}`;
  const own = schema.enum || 'const' in schema ? canonical(value) : '';
  if (schema.enum && !schema.enum.some((each) => canonical(each) === own))
    yield `must be one of ${list(schema.enum)}`;
  if ('const' in schema && canonical(schema.const) !== own) yield `must be ${list([schema.const])}`;
  if (typeof pattern === 'string' && typeof value === 'string' && !matches(pattern, value))
    yield `must match the pattern ${pattern}`;
  if (uniqueItems === true && Array.isArray(value)) {
    if (new Set(value.map(canonical)).size < value.length) yield 'must not repeat items';
  }
  for (const [keyword, check] of Object.entries(limits)) {
    const limit = schema[keyword];
    const expected = typeof limit === 'number' && check(value, limit);
    if (expected) yield `must ${expected}`;
  }
}

// How far into the value the first fault of an alternative is. Equal ones differ in how many faults they have.
const depthOf = (issues: readonly SchemaIssue[]): number =>
  issues.reduce((least, { path }) => Math.min(least, path.split('/').length), Infinity) -
  issues.length / (issues.length + 1);

// Returns nothing if an alternative matches, else the issues of the one that comes nearest: that fails deepest.
function nearest(
  choices: readonly (readonly SchemaIssue[])[],
  path: string,
): readonly SchemaIssue[] {
  if (choices.some((issues) => issues.length === 0)) return [];
  const [first, second] = choices
    .filter((issues) => issues.every((issue) => issue.path !== path))
    .sort((a, b) => depthOf(b) - depthOf(a));
  if (first && (!second || depthOf(first) > depthOf(second))) return first;
  const words = choices.flat().filter((issue) => issue.path === path);
  const reasons = [...new Set(words.map(({ message }) => message))].join(', or ');
  return [{ path, message: reasons || 'must match one of the alternatives' }];
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
  try {
    const issues = new Validation(schema).issuesOf(schema, value, '');
    return issues.map(({ path, message }) => ({ path: path.replace(/~$/, ''), message }));
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return [
      { path: '', message: `takes more than ${maxSteps} steps to validate with this schema` },
    ];
  }
}
