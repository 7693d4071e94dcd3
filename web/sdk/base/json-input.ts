// Why this file exists: JSON comes as a value, as text or as bytes; text and bytes are never parsed
// and written anew.
import { bytesOf } from './bytes.js';
import { messageOf } from './error-message.js';
import type { StrataError } from './errors.js';
import { jsonText } from './json-text.js';
import { refusal } from './options.js';
import type { JsonInput } from '../types/json.js';

/** One part of a call into the core: text, bytes, or nothing. */
export type FramePart = string | Uint8Array | undefined;

/** JSON for the core; `undefined` stays away. `path` says where it stands in what the caller gave. */
export function jsonPart(input: JsonInput | undefined | null, path = ''): FramePart {
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
    throw notJson(`a value that can't be written: ${messageOf(cause)}`, path);
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
