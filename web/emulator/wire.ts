// Derives pseudo-random choices from a text, so that the same request gets the same answer. Not for security.
import { parseLenient } from '../sdk/internal/json-text.js';
import { field as eitherField, isObject as isJsonObject } from '../sdk/internal/json.js';
import type { Json } from '../sdk/types/json.js';
import { decodeValidUtf8 } from '../sdk/internal/bytes.js';
import type { JsonObject } from './types.js';
import { invalidArgument } from './errors.js';

const idCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns the 32-bit FNV-1a hash of the UTF-16 code units. */
export function hash(text: string, basis = 0x811c9dc5): number {
  let state = basis;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  }
  return state >>> 0;
}

/** A pseudo-random number generator seeded with a text. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** Returns the next 32 bits: a Weyl sequence through MurmurHash3's finalizer. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** Returns one of the choices. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** Returns an ID of the form that Google uses: lowercase letters and digits. */
  id(length: number): string {
    let text = '';
    while (text.length < length) text += idCharacters[this.below(idCharacters.length)];
    return text;
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value);
}

/** Returns the field in either spelling; undefined if `from` is not an object. `name` is in camelCase. */
export function field(from: unknown, name: string): Json | undefined {
  return isObject(from) ? eitherField(from, name) : undefined;
}

/** Returns the field if it is an object. */
export function objectField(from: unknown, name: string): JsonObject | undefined {
  const value = field(from, name);
  return isObject(value) ? value : undefined;
}

/** Returns the field if it is a string. */
export function textField(from: unknown, name: string): string | undefined {
  const value = field(from, name);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the field if it is a number or a numeric string: ProtoJSON writes int64 as strings. */
export function numberField(from: unknown, name: string): number | undefined {
  const value = field(from, name);
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the objects of an array field. As in the API, a single object counts as an array of one. */
export function objectsField(from: unknown, name: string): JsonObject[] {
  const value = field(from, name);
  if (isObject(value)) return [value];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the model name without `models/`, and without what stands before it on Vertex AI. */
export function bareModel(name: string): string {
  return name.replace(
    /^(?:(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\/)?models\//,
    '',
  );
}

/** Parses JSON bytes as Google does; undefined if they are not a JSON object. */
export function parseObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseLenient(decodeValidUtf8(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** One page of a list, with the token of the next one. */
export interface Page<Entry> {
  entries: Entry[];
  /** Empty on the last page. */
  next: { nextPageToken?: string };
}

/**
 * Returns the page that `pageToken` and `pageSize` of the query ask for.
 *
 * @throws Failure for a token that no list returned
 */
export function pageOf<Entry>(
  all: Entry[],
  query: URLSearchParams,
  limits: { default: number; max: number },
): Page<Entry> {
  const requested = Number(query.get('pageSize') ?? 0) || limits.default;
  const from = Number(query.get('pageToken') ?? 0);
  if (!Number.isInteger(from) || from < 0) throw invalidArgument('Invalid page token.');
  const end = from + Math.min(Math.max(1, Math.floor(requested)), limits.max);
  const next = end < all.length ? { nextPageToken: String(end) } : {};
  return { entries: all.slice(from, end), next };
}
