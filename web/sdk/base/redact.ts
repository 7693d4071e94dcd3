// Removes the API key from texts and JSON, so that an error which repeats it does not leak it into logs.
import { StrataError } from './errors.js';
import type { Json } from '../types/json.js';

/** Returns a text without the key. */
export type Redact = (text: string) => string;

/** Returns a function that replaces `key` in a text with `[api key]`. */
export function redactor(key: string | undefined): Redact {
  return key ? (text) => text.replaceAll(key, '[api key]') : (text) => text;
}

/** Returns a JSON value with the key removed from all strings and property names; as it is without `redact`. */
export function redactValue<Value>(value: Value, redact: Redact | undefined): Value {
  return redact ? (redacted(value, redact) as Value) : value;
}

/** Parses JSON and removes the key from all strings and property names, however they are escaped. */
export function parseRedacted(text: string, redact: Redact): Json {
  return redactValue<Json>(JSON.parse(redact(text)), redact);
}

function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => redacted(element, redact));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, member]) => [redact(name), redacted(member, redact)]),
  );
}

/**
 * Validates the characters of an API key. The usual mistake is a line feed at the end of a secret; the error
 * message of `fetch` would quote the key.
 *
 * @throws StrataError `key.invalid`
 */
export function checkKey(key: string | undefined): void {
  if (key === undefined || key === '' || /^[\x21-\x7e]+$/.test(key)) return;
  throw new StrataError(
    'key.invalid',
    'The API key contains a space, a line feed or another invalid character. Trim the key.',
  );
}
