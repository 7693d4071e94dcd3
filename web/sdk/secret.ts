// Why this file exists: an API key that a server or a fetch repeats must not reach a log through an error.
import { StrataError } from './errors.js';
import type { Json } from './types.js';

/** Text with the key taken out. */
export type Redact = (text: string) => string;

/** Makes the function that takes `key` out of any text. */
export function redactor(key: string | undefined): Redact {
  return key ? (text) => text.replaceAll(key, '[api key]') : (text) => text;
}

/** A copy of a JSON value with the key taken out of all its strings. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'string' ? redact(inner) : inner,
  );
}

/** Parses JSON and takes the key out of all its strings, however they were escaped. */
export function parseRedacted(text: string, redact: Redact): Json {
  const value: Json = JSON.parse(redact(text), (_, value) =>
    typeof value === 'string' ? redact(value) : value,
  );
  return value;
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
