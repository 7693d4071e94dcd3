// Why this file exists: an option that is misspelt, or of another type, would otherwise mean its default. What
// there is, and what each must be, is said once beside the options, and checked here.
import { StrataError } from './errors.js';
import type { Backend } from '../types/backend.js';

/** Throws where `value` is not what it must be; `path` says where that stands. */
export type Check = (value: unknown, path: string) => void;

/** What each option must be; the compiler sees that none is missing. */
export type Shape<Options> = { readonly [name in keyof Required<Options>]: Check };

/** A StrataError with one diagnostic. */
export function refusal(code: string, path: string, message: string): StrataError {
  return new StrataError(code, message, [{ code, severity: 'error', path, message }]);
}

/** What the caller gave at `path` has another type than it must have. */
export function wrongType(path: string, expected: string): StrataError {
  return refusal('field.invalid', path, `${path || 'The options'} must be ${expected}`);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

function needed(expected: string, test: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!test(value)) throw wrongType(path, `${expected}, not ${shown(value)}`);
  };
}

/** What may be absent: `undefined` means unset. */
export const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined || check(value, path);

/** What must be present. */
export const required =
  (check: Check): Check =>
  (value, path) => {
    if (value === undefined) throw wrongType(path, 'given');
    check(value, path);
  };

export const anything: Check = () => {};
export const string = needed('a string', (value) => typeof value === 'string');
export const nonEmptyString = needed(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);
export const number = needed(
  'a number',
  (value) => typeof value === 'number' && !Number.isNaN(value),
);
/** Includes Infinity. */
export const nonNegative = needed(
  'a number, 0 or more',
  (value) => typeof value === 'number' && value >= 0,
);
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
export const count = needed('a whole number, 0 or more', isCount);
export const boolean = needed('true or false', (value) => typeof value === 'boolean');
export const func = needed('a function', (value) => typeof value === 'function');
export const object = needed(
  'an object',
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** An object with these methods. */
export const objectWith = (...methods: readonly string[]) =>
  needed(`an object with ${methods.join(', ')}`, (value) =>
    methods.every((method) => typeof Object(value)[method] === 'function'),
  );

/** One of these strings. */
export const oneOf = (...words: readonly string[]) =>
  needed(words.map((each) => `'${each}'`).join(' or '), (value) =>
    words.some((each) => each === value),
  );
export const backend = oneOf(...(['gemini', 'vertex'] satisfies Backend[]));

/** An array whose members all pass `check`. */
export const arrayOf =
  (check: Check): Check =>
  (value, path) => {
    needed('an array', Array.isArray)(value, path);
    (value as unknown[]).forEach((each, index) => check(each, `${path}/${index}`));
  };

/** An object with any names, whose values all pass `check`. */
export const recordOf =
  (check: Check): Check =>
  (value, path) => {
    object(value, path);
    for (const [key, each] of Object.entries(value as object)) check(each, below(path, key));
  };

/** `true`, `false`, or what passes `check`. */
export const booleanOr = (check: Check): Check => {
  return (value, path) => typeof value === 'boolean' || check(value, path);
};

/** A function, or what passes `check`. */
export const functionOr = (check: Check): Check => {
  return (value, path) => typeof value === 'function' || check(value, path);
};

const below = (path: string, key: string) =>
  `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Checks the options of a call.
 *
 * @throws StrataError `field.unknown` for a name that there is not, with those that there are;
 *   `field.invalid` for a value of another kind, with what it must be.
 */
export function checkOptions<Options>(options: unknown, known: Shape<Options>, path = ''): void {
  object(options, path);
  const given = options as { readonly [key: string]: unknown };
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key)) continue;
    const pointer = below(path, key);
    const names = Object.keys(known).join(', ');
    throw refusal('field.unknown', pointer, `${pointer} is no option; there are ${names}`);
  }
  for (const [key, check] of Object.entries<Check>(known)) check(given[key], below(path, key));
}

/** Nested options, all of them optional. */
export const shape = <Options>(known: Shape<Options>): Check =>
  optional((value, path) => checkOptions(value, known, path));

/** `defaults` with what is given; undefined is not. */
export function withDefaults<All extends object>(
  defaults: All,
  options: { readonly [name in keyof All]?: All[name] | undefined } | undefined,
): All {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** Where signatures come from. */
export const provenance = shape<{ model?: string; backend?: string }>({
  model: optional(string),
  backend: optional(backend),
});
