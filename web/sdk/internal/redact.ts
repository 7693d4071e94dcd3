// Removes the API key and other secrets from texts and JSON, so that an error which repeats them does not leak them
// into logs.
import { StrataError } from './errors.js';

/** Returns a text without the secrets. */
export type Redact = (text: string) => string;

// Tokens change; an answer may repeat one that is no longer sent.
const maxSecrets = 32;

/** Whether a text can be told from a word. Real keys are longer; a placeholder such as `x` is in every text. */
export const isSecret = (text: string | undefined): text is string =>
  text !== undefined && text.length >= 8;

/** The API key, and the newest tokens and header values that requests were sent with. */
export class Secrets {
  readonly #key: string | undefined;
  readonly #others = new Set<string>();
  /** A secret may be part of a longer one. */
  #longestFirst: readonly string[] = [];

  constructor(key?: string) {
    this.#key = isSecret(key) ? key : undefined;
  }

  /** Remembers a text of 8 or more characters, which must not appear in an error. */
  add(secret: string): void {
    if (!isSecret(secret)) return;
    this.#others.delete(secret);
    this.#others.add(secret);
    for (const oldest of this.#others) {
      if (this.#others.size <= maxSecrets) break;
      this.#others.delete(oldest);
    }
    this.#longestFirst = [...this.#others].sort((a, b) => b.length - a.length);
  }

  /** The key and all other secrets, the longest first. None that is too short to tell it from words. */
  get texts(): readonly string[] {
    const all = this.#key ? [this.#key, ...this.#longestFirst] : this.#longestFirst;
    return all.filter((each) => each.length >= 8).sort((a, b) => b.length - a.length);
  }

  /** Whether a key is one of Google's Standard keys, which stopped in September 2026. */
  get holdsStandardKey(): boolean {
    return [this.#key, ...this.#others].some((secret) => secret?.startsWith('AIza'));
  }

  /** Replaces the key by `[api key]` and any other secret by `[secret]`. */
  readonly redact: Redact = (text) => {
    for (const secret of this.#longestFirst) text = text.replaceAll(secret, '[secret]');
    return this.#key ? text.replaceAll(this.#key, '[api key]') : text;
  };
}

/**
 * Returns a JSON value with the key removed from all strings and property names: a copy if it holds the key, otherwise
 * the value. Without `redact`, returns the value.
 */
export function redactValue<Value>(value: Value, redact: Redact | undefined): Value {
  return redact && holdsSecret(value, redact) ? (redacted(value, redact) as Value) : value;
}

// Hardly a value does, and a copy costs more than the search.
function holdsSecret(value: unknown, redact: Redact): boolean {
  if (typeof value === 'string') return redact(value) !== value;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((element) => holdsSecret(element, redact));
  return Object.keys(value).some(
    (name) => redact(name) !== name || holdsSecret(value[name as never], redact),
  );
}

/**
 * Returns an object of the core with redacted members. Its names and the member `kept` stay, because a secret may be a
 * word such as `error`.
 */
export function redactMembers<Value extends object>(
  value: Value,
  redact: Redact | undefined,
  kept?: keyof Value,
): Value {
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === kept ? member : redactValue(member, redact)]),
  ) as Value;
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
 * Validates the characters of an API key or a token. The usual mistake is a line feed at the end of a secret; the
 * error message of `fetch` would quote it.
 *
 * @throws StrataError `key.invalid`
 */
export function checkKey(key: string | undefined, what = 'API key'): void {
  if (key === undefined || key === '' || /^[\x21-\x7e]+$/.test(key)) return;
  throw new StrataError(
    'key.invalid',
    `The ${what} contains a space, a line feed or another invalid character. Trim the ${what}.`,
  );
}
