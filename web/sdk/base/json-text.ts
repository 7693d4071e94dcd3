// Why this file exists: one way to write a value as JSON, wherever a caller may give one. Clients hold files
// as bytes, which JSON.stringify would number; and what it would write as `{}` without a word is an error.
import { bytesOf } from './bytes.js';

// What one call of String.fromCharCode may get.
const piece = 0x8000;

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += piece) {
    binary += String.fromCharCode(...bytes.subarray(at, at + piece));
  }
  return btoa(binary);
}

// `Object`, `Array`, `Map`…, in any realm.
const kindOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

// A Map, a Promise, a Blob: what they hold is in no field of theirs.
function isHollow(value: object): boolean {
  if (Object.keys(value).length > 0 || typeof value.valueOf() !== 'object') return false;
  return !['Object', 'Array'].includes(kindOf(value));
}

// A Buffer has a form of its own by now: `this` holds it as it is.
function writable(this: { [key: string]: unknown }, key: string, value: unknown): unknown {
  const held = this[key];
  if (typeof held !== 'object' || held === null) return value;
  const bytes = bytesOf(held);
  if (bytes) return base64(bytes);
  if (value !== held || (!ArrayBuffer.isView(held) && !isHollow(held))) return value;
  const place = key === '' ? '' : ` under "${key}"`;
  throw new TypeError(`JSON has no form for this ${kindOf(held)}${place}`);
}

/**
 * JSON text of a value, bytes in it as base64; undefined for what JSON leaves out, such as a function.
 *
 * @throws TypeError that names what can't be written: a cycle, a BigInt, a Map, a Promise…
 */
export function jsonText(value: unknown): string | undefined {
  return JSON.stringify(value, writable);
}
