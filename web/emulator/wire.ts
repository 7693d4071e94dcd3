// Reads JSON fields in camelCase or snake_case: the API accepts both.
import {
  parseLenient,
  field as eitherField,
  isObject as isJsonObject,
} from '../sdk/internal/json.js';
import type { Json } from '../sdk/types/json.js';
import { decodeValidUtf8 } from '../sdk/internal/bytes.js';
import type { JsonObject } from './types.js';

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
