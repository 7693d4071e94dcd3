// Why this file exists: JSON comes as a value, as text or as bytes; text and bytes are never parsed
// and written anew.
import { bytesOf } from './bytes.js';
import { StrataError } from './errors.js';
import type { Part } from './frame.js';
import { jsonText } from './json-text.js';
import type { Backend, JsonInput } from './types.js';

export const backends: readonly Backend[] = ['gemini', 'vertex'];

/** JSON for the core; `undefined` stays away. `path` says where it stands in what the caller gave. */
export function jsonPart(input: JsonInput | undefined | null, path = ''): Part {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string') return input;
  if (typeof input !== 'object') throw notJson(`a ${typeof input}`, path);
  return bytesOf(input) ?? valuePart(input, path);
}

/** A value for the core, such as options: text in it is text, not JSON. `undefined` stays away. */
export function valuePart(value: unknown, path = ''): string | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = jsonText(value);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw notJson(`a value that can't be written: ${why}`, path);
  }
  if (text === undefined) throw notJson('a value that JSON.stringify leaves out', path);
  return text;
}

function refusal(code: string, path: string, message: string): StrataError {
  return new StrataError(code, message, [{ code, severity: 'error', path, message }]);
}

function notJson(what: string, path: string): StrataError {
  const place = path && ` at ${path}`;
  return refusal(
    'json.invalid',
    path,
    `Expected JSON as an object, text or bytes${place}, got ${what}`,
  );
}

/** What the caller gave at `path` has another type than it must have. */
export function wrongType(path: string, expected: string): StrataError {
  return refusal('field.invalid', path, `${path || 'The options'} must be ${expected}`);
}

/** The names of an object's fields; the compiler sees that none is missing. */
export type NamesOf<Options> = { readonly [name in keyof Required<Options>]: true };

/**
 * Options whose names must all be known: a misspelt one would otherwise mean the default.
 *
 * @throws StrataError `field.unknown` that names the option and those that there are.
 */
export function checkNames<Options extends object>(
  options: Options | undefined | null,
  known: NamesOf<Options>,
  path = '',
): void {
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(known, name)) continue;
    const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const names = Object.keys(known).join(', ');
    throw refusal('field.unknown', pointer, `${pointer} is no option; there are ${names}`);
  }
}

/**
 * An option that must be one of a few words, or absent: a misspelt one would otherwise mean the default.
 *
 * @throws StrataError `field.invalid` that names the option and its values.
 */
export function checkChoice<Name extends string>(
  options: { readonly [key in Name]?: unknown } | undefined,
  name: Name,
  allowed: readonly string[],
): void {
  const value = options?.[name];
  if (value === undefined || allowed.some((word) => word === value)) return;
  const words = allowed.map((word) => `'${word}'`).join(' or ');
  throw wrongType(`/${name}`, `${words}, not ${JSON.stringify(value) ?? typeof value}`);
}
