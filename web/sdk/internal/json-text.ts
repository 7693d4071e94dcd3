// Serializes a caller's value as JSON. Bytes become base64; a value that JSON.stringify would silently write as
// `{}` or null, such as a Map or NaN, is an error.
import { base64 } from './base64.js';
import { bytesOf } from './bytes.js';
import { validatorName } from './validator-object.js';

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
export function optionsText(options: unknown): string | undefined {
  return isPlain(options) ? JSON.stringify(options) : JSON.stringify(options, optionReplacer);
}
