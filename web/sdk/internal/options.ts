// Validates the options of a call, so that a misspelled name or a value of the wrong type is an error instead of
// the default. Each options type has one Shape with a check per option. Checks compose: `string` requires a
// string, `optional(string)` also accepts undefined.
import { StrataError } from './errors.js';
import { isObject, validatorName } from './json.js';
import { nearestName } from './messages.js';
import type { Backend } from '../types/model.js';
import type { Wire } from '../types/wire.js';
import type { DiagnosticCode } from '../types/codes.js';

/** Throws StrataError `field.invalid` if `value` is invalid. `path` is its JSON Pointer in the options. */
export type Check = (value: unknown, path: string) => void;

/** The check of each option. The compiler requires one for every member of `Options`. */
export type Shape<Options> = { readonly [name in keyof Required<Options>]: Check };

/** Returns a StrataError with one diagnostic. */
export function optionError(code: DiagnosticCode, path: string, message: string): StrataError {
  return new StrataError(code, message, [{ code, severity: 'error', path, message }]);
}

/** Returns a StrataError `field.invalid` that says what the value at `path` must be. */
export function invalidOption(path: string, expected: string): StrataError {
  return optionError('field.invalid', path, `${path || 'The options'} must be ${expected}`);
}

// A text is not quoted: a key that was passed in the wrong place would reach logs.
function describe(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : 'this text';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

// Returns a check that fails with e.g. `/model must be a non-empty string, not 5`.
/* @__NO_SIDE_EFFECTS__ */
function checkOf(expected: string, isValid: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!isValid(value)) throw invalidOption(path, `${expected}, not ${describe(value)}`);
  };
}

/** Accepts undefined, which means unset, and any value that passes `check`. */
/* @__NO_SIDE_EFFECTS__ */
export const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined || check(value, path);

/** Rejects undefined, also if `check` accepts it. */
/* @__NO_SIDE_EFFECTS__ */
export const required =
  (check: Check): Check =>
  (value, path) => {
    if (value === undefined) throw invalidOption(path, 'defined');
    check(value, path);
  };

export const unchecked: Check = () => {};
export const string = checkOf('a string', (value) => typeof value === 'string');
export const nonEmptyString = checkOf(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
);
// Relative ones are resolved against a page.
const baseUrlForm = /^(https?:\/\/[^\s/?#@]+(\/|$)|\.{0,2}\/|$)[^\s?#]*$/i;
export const isBaseUrl = (value: unknown): boolean =>
  typeof value === 'string' && baseUrlForm.test(value);
/** Accepts what paths can be added to. Credentials and queries would reach errors with the URL. */
export const baseUrl = checkOf(
  'https://… or http://…, or a path that begins with /, without credentials and query',
  isBaseUrl,
);
/** Accepts the body of a request: JSON in UTF-8, or its text. */
export const body = checkOf(
  'bytes: those of assemble(), or new TextEncoder().encode(json)',
  (value) => typeof value === 'string' || ArrayBuffer.isView(value),
);
export const number = checkOf(
  'a number',
  (value) => typeof value === 'number' && !Number.isNaN(value),
);
/** Accepts Infinity. */
export const nonNegative = checkOf(
  'a non-negative number',
  (value) => typeof value === 'number' && value >= 0,
);
export const share = checkOf(
  'a number from 0 to 1',
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
);
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
export const count = checkOf('a non-negative integer', isCount);
export const boolean = checkOf('true or false', (value) => typeof value === 'boolean');
export const func = checkOf('a function', (value) => typeof value === 'function');
export const object = checkOf('an object', isObject);

// Those of other realms and of polyfills, too.
const isSignal = (value: unknown): boolean => typeof Object(value).aborted === 'boolean';
/** Accepts undefined, or an AbortSignal. */
export const signal = optional(checkOf('an AbortSignal, such as controller.signal', isSignal));

/** Rejects a schema of a validator library. `advice` says what takes one. */
/* @__NO_SIDE_EFFECTS__ */
export const noValidator =
  (advice: string): Check =>
  (value, path) => {
    const name = validatorName(value);
    if (name) throw invalidOption(path, `JSON, not a schema of ${name}: ${advice}`);
  };

/** Accepts an object with these methods. */
/* @__NO_SIDE_EFFECTS__ */
export const objectWith = (...methods: readonly string[]) =>
  checkOf(`an object with the methods ${methods.join(', ')}`, (value) =>
    methods.every((method) => typeof Object(value)[method] === 'function'),
  );

/** Accepts one of these strings. */
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (...allowed: readonly string[]) =>
  checkOf(allowed.map((each) => `'${each}'`).join(' or '), (value) =>
    allowed.some((each) => each === value),
  );
export const wire = oneOf(...(['generateContent', 'interactions'] satisfies Wire[]));
export const backend = oneOf(...(['gemini', 'vertex'] satisfies Backend[]));

/** Accepts an array whose elements all pass `check`. */
/* @__NO_SIDE_EFFECTS__ */
export const arrayOf =
  (check: Check): Check =>
  (value, path) => {
    checkOf('an array', Array.isArray)(value, path);
    (value as unknown[]).forEach((element, index) => check(element, `${path}/${index}`));
  };

/** Accepts an object with any property names whose values all pass `check`. */
/* @__NO_SIDE_EFFECTS__ */
export const recordOf =
  (check: Check): Check =>
  (value, path) => {
    object(value, path);
    for (const [key, member] of Object.entries(value as object))
      check(member, childPath(path, key));
  };

/** Accepts a boolean, or a value that passes `check`. */
/* @__NO_SIDE_EFFECTS__ */
export const booleanOr = (check: Check): Check => {
  return (value, path) => typeof value === 'boolean' || check(value, path);
};

/** Accepts a function, or a value that passes `check`. */
/* @__NO_SIDE_EFFECTS__ */
export const functionOr = (check: Check): Check => {
  return (value, path) => typeof value === 'function' || check(value, path);
};

/** Accepts a schema of a validator library, which may be a function, or a JSON Schema. */
export const schemaLike = functionOr(object);

/** Returns the JSON Pointer of a member. */
export const childPath = (path: string, key: string): string =>
  `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns a StrataError `field.unknown` with the name that `key` most likely means, or else all names. */
export function unknownOption(path: string, key: string, names: readonly string[]): StrataError {
  const pointer = childPath(path, key);
  const meant = nearestName(key, names);
  const advice = meant ? `Did you mean ${meant}?` : `Options: ${names.join(', ')}`;
  return optionError('field.unknown', pointer, `${pointer} is not an option. ${advice}`);
}

/**
 * Validates the options of a call. `path` is the JSON Pointer of `options` in the outermost options.
 *
 * @throws StrataError `field.unknown` for a name that is not an option, with the one that it most likely means, or all;
 *   `field.invalid` for an invalid value
 */
export function checkOptions<Options>(options: unknown, known: Shape<Options>, path = ''): void {
  object(options, path);
  // It has no property of its own that could be unknown.
  if (isSignal(options)) throw invalidOption(path, 'an object such as { signal }');
  const given = options as { readonly [key: string]: unknown };
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(known, key)) throw unknownOption(path, key, Object.keys(known));
  }
  for (const key in known) known[key](given[key], `${path}/${key}`);
}

/** Returns an error of the options of a call that begins with its name, and names an option without a slash. */
export function inCall(call: string, error: unknown): unknown {
  if (!(error instanceof StrataError && error.code.startsWith('field.'))) return error;
  const { code, message, diagnostics } = error;
  return new StrataError(code, `${call}: ${message.replace(/^\/(?=\w+ )/, '')}`, diagnostics);
}

/** Accepts undefined, or an object of nested options. */
/* @__NO_SIDE_EFFECTS__ */
export const shape = <Options>(known: Shape<Options>): Check =>
  optional((value, path) => checkOptions(value, known, path));

/** Returns `defaults` overridden by the options that are not undefined. */
export function withDefaults<All extends object>(
  defaults: All,
  options: { readonly [name in keyof All]?: All[name] | undefined } | undefined,
): All {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}
