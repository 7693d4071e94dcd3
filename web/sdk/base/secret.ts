// Why this file exists: an API key that a server or a fetch repeats must not reach a log through an error.
import { StrataError } from './errors.js';
import type { Json } from '../types/json.js';

/** Text with the key taken out. */
export type Redact = (text: string) => string;

/** Makes the function that takes `key` out of any text. */
export function redactor(key: string | undefined): Redact {
  return key ? (text) => text.replaceAll(key, '[api key]') : (text) => text;
}

/** A copy of a JSON value with the key taken out of all its strings and names. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => redacted(inner, redact));
}

/** Parses JSON and takes the key out of all its strings and names, however they were escaped. */
export function parseRedacted(text: string, redact: Redact): Json {
  return redactValue<Json>(JSON.parse(redact(text)), redact);
}

function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [redact(name), held]));
}

/**
 * Refuses a key that no header can carry. Left to `fetch`, the message would quote the key: the usual
 * cause is a line feed at the end of a secret.
 */
export function checkKey(key: string | undefined): void {
  if (key === undefined || key === '' || /^[\x21-\x7e]+$/.test(key)) return;
  throw new StrataError(
    'key.invalid',
    'The API key holds a space, a line feed or another character that no key has',
  );
}
