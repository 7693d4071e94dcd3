// Why this file exists: the API takes camelCase and snake_case alike, so every field is read here.
import type { Json } from '../sdk/types/json.js';
import { decodeValidUtf8 } from '../sdk/base/utf8.js';
import type { JsonObject } from './types.js';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field in either spelling; undefined where `from` is no object. `name` is camelCase. */
export function field(from: unknown, name: string): Json | undefined {
  if (!isObject(from)) return undefined;
  return from[name] ?? from[name.replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())];
}

export function objectField(from: unknown, name: string): JsonObject | undefined {
  const value = field(from, name);
  return isObject(value) ? value : undefined;
}

export function textField(from: unknown, name: string): string | undefined {
  const value = field(from, name);
  return typeof value === 'string' ? value : undefined;
}

/** A number, or a string that holds one: proto JSON writes int64 as text. */
export function numberField(from: unknown, name: string): number | undefined {
  const value = field(from, name);
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The objects of a list. A single object counts as a list of one, as the API has it for `tools`. */
export function objectsField(from: unknown, name: string): JsonObject[] {
  const value = field(from, name);
  if (isObject(value)) return [value];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** `models/x` and `x` are both written; this is `x`. */
export function bareModel(name: string): string {
  return name.replace(/^models\//, '');
}

/** What JSON bytes hold, where that is an object. */
export function parseObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(decodeValidUtf8(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
