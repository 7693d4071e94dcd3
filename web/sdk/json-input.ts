// Why this file exists: JSON comes as a value, as text or as bytes; text and bytes are never parsed
// and written anew.
import { StrataError } from './errors.js';
import type { Part } from './instance.js';
import type { JsonInput } from './types.js';

/** JSON for the core; `undefined` stays away. */
export function jsonPart(input: JsonInput | undefined | null): Part {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string' || input instanceof Uint8Array) return input;
  if (typeof input !== 'object') throw notJson(`a ${typeof input}`);
  return stringify(input);
}

function stringify(value: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw notJson(cause instanceof Error ? cause.message : String(cause));
  }
  if (text === undefined) throw notJson('a value that JSON.stringify leaves out');
  return text;
}

function notJson(what: string): StrataError {
  return new StrataError('json.invalid', `Expected JSON as an object, text or bytes, got ${what}`);
}
