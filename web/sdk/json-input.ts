// Why this file exists: JSON comes as a value, as text or as bytes; text and bytes are never parsed
// and written anew.
import type { StrataError } from './errors.js';
import type { Part } from './frame.js';
import { messageOf } from './message-of.js';
import { refusal } from './options.js';
import type { JsonInput } from './types.js';

/** JSON for the core; `undefined` stays away. `path` says where it stands in what the caller gave. */
export function jsonPart(input: JsonInput | undefined | null, path = ''): Part {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string' || input instanceof Uint8Array) return input;
  if (typeof input !== 'object') throw notJson(`a ${typeof input}`, path);
  return stringify(input, path);
}

// Clients hold files as bytes; JSON.stringify would number them, and a Buffer has a form of its own.
function bytesAsBase64(this: { [key: string]: unknown }, key: string, value: unknown): unknown {
  const held = this[key];
  if (!(held instanceof Uint8Array || held instanceof ArrayBuffer)) return value;
  let binary = '';
  for (const byte of new Uint8Array(held)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** A history for the core: like `jsonPart`, with the bytes that stand in it as base64. */
export function historyPart(input: JsonInput | undefined): Part {
  const isValue = typeof input === 'object' && input !== null && !(input instanceof Uint8Array);
  return isValue ? stringify(input, '/from', bytesAsBase64) : jsonPart(input, '/from');
}

function stringify(value: object, path: string, replacer?: typeof bytesAsBase64): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, replacer);
  } catch (cause) {
    throw notJson(messageOf(cause), path);
  }
  if (text === undefined) throw notJson('a value that JSON.stringify leaves out', path);
  return text;
}

function notJson(what: string, path: string): StrataError {
  const place = path && ` at ${path}`;
  return refusal(
    'json.invalid',
    path,
    `Expected JSON as an object, text or bytes${place}, got ${what}`,
  );
}
