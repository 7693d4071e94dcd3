// Converts a caller's JSON (a value, text or bytes) for a call into the core. Text and bytes are passed on unparsed;
// bytes in a value become base64; what JSON.stringify would silently write as `{}` or null, such as a Map or NaN, is
// an error.
import { base64, bytesOf } from './bytes.js';
import { validatorName } from './json.js';
import { messageOf } from './messages.js';
import type { StrataError } from './errors.js';
import { optionError } from './options.js';
import type { JsonInput } from '../types/json.js';

// Returns `Object`, `Array`, `Map`…, for values of any realm.
const typeNameOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

// Returns whether a value's contents are not in its properties: a Map, a Promise, a Blob.
function isOpaque(value: object): boolean {
  if (Object.keys(value).length > 0) return false;
  // An object without a prototype has no `valueOf`.
  if (['Object', 'Array'].includes(typeNameOf(value))) return false;
  return typeof value.valueOf() === 'object';
}

// A replacer for JSON.stringify. `value` is already the result of toJSON, such as a Buffer's; `this[key]` is the
// original.
function replacer(this: { [key: string]: unknown }, key: string, value: unknown): unknown {
  const original = this[key];
  // What is left of a validator's schema would pass as a JSON Schema; the core recognizes this form.
  const vendor = validatorName(original);
  if (vendor) return { '~standard': { vendor } };
  if (typeof value === 'number' && !Number.isFinite(value)) throw unrepresentable(`${value}`, key);
  if (typeof original !== 'object' || original === null) return value;
  const bytes = bytesOf(original);
  if (bytes) return base64(bytes);
  if (value !== original || (!ArrayBuffer.isView(original) && !isOpaque(original))) return value;
  throw unrepresentable(`this ${typeNameOf(original)}`, key);
}

function unrepresentable(what: string, key: string): TypeError {
  const place = key === '' ? '' : ` (property "${key}")`;
  return new TypeError(`JSON cannot represent ${what}${place}`);
}

/**
 * Returns the JSON text of a value, with bytes as base64; undefined for a value that JSON omits, such as a
 * function.
 *
 * @throws TypeError for a value that JSON cannot represent: a cycle, a BigInt, NaN, a Map, a Promise…
 */
export function jsonText(value: unknown): string | undefined {
  return isPlain(value) ? JSON.stringify(value) : JSON.stringify(value, replacer);
}

// Returns whether JSON.stringify writes a value as `optionsText` does. Objects with prototypes of their own, such as
// bytes and maps, and what JSON omits, need the replacer.
function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  if (value === null || value === undefined) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > 8) return false;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  if ('toJSON' in value) return false;
  for (const name in value) if (!isPlain(value[name as never], depth + 1)) return false;
  return true;
}

function optionReplacer(this: { [key: string]: unknown }, key: string, value: unknown): unknown {
  if (['function', 'symbol', 'bigint'].includes(typeof value)) return null;
  if (value === -Infinity || Number.isNaN(value)) return null;
  if (value === Infinity) return Number.MAX_VALUE;
  return replacer.call(this, key, value);
}

/**
 * Like `jsonText`, for options: a function, a symbol, a BigInt or NaN becomes null, which hardly an option accepts, and
 * Infinity the greatest number.
 */
function optionsText(options: unknown): string | undefined {
  return isPlain(options) ? JSON.stringify(options) : JSON.stringify(options, optionReplacer);
}

/** One part of a call into the core: text, bytes, or absent. */
export type FramePart = string | Uint8Array | undefined;

/**
 * Returns JSON for the core; undefined if `input` is undefined or null.
 *
 * @param path the JSON Pointer of `input` in the caller's options, for errors
 * @throws StrataError `json.invalid`
 */
export function jsonPart(input: JsonInput | undefined | null, path = ''): FramePart {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string') return input;
  if (typeof input !== 'object') throw notJson(`a ${typeof input}`, path);
  return bytesOf(input) ?? valuePart(input, path);
}

/** Returns the JSON text of a value; a string becomes a JSON string. Undefined stays undefined. Throws like `jsonPart`. */
export function valuePart(value: unknown, path = ''): string | undefined {
  return textPart(value, path, jsonText);
}

/**
 * Returns the JSON text of a caller's options, which the core validates. Undefined stays undefined. What JSON
 * would omit, such as a function, becomes null, so that the core refuses it. Throws like `jsonPart`.
 */
export function optionsPart(options: unknown, path = ''): string | undefined {
  return textPart(options, path, optionsText);
}

function textPart(value: unknown, path: string, write: typeof jsonText): string | undefined {
  if (value === undefined) return undefined;
  let text: string | undefined;
  try {
    text = write(value);
  } catch (cause) {
    throw notJson(`a value that cannot be serialized: ${messageOf(cause)}`, path);
  }
  if (text === undefined) throw notJson('a value that JSON.stringify omits', path);
  return text;
}

function notJson(what: string, path: string): StrataError {
  const place = path && ` at ${path}`;
  return optionError(
    'json.invalid',
    path,
    `Expected JSON as an object, text or bytes${place}, got ${what}`,
  );
}
