// Converts a caller's JSON (a value, text or bytes) for a call into the core. Text and bytes are passed on unparsed.
import { bytesOf } from './bytes.js';
import { messageOf } from './error-message.js';
import type { StrataError } from './errors.js';
import { jsonText, optionsText } from './json-text.js';
import { optionError } from './options.js';
import type { JsonInput } from '../types/json.js';

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
