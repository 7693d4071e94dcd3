// Reads and changes single fields in the JSON text of a generationConfig.
import type { Json } from '../../../index.js';

type Fields = { [name: string]: Json };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object of a JSON text, `{}` for an empty one; undefined if it is no object. */
export function parseFields(text: string): Fields | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value at a path of field names. */
export function fieldAt(text: string, path: readonly string[]): Json | undefined {
  let value: Json | undefined = parseFields(text);
  for (const name of path) value = isFields(value) ? value[name] : undefined;
  return value;
}

// Objects that become empty are removed.
function withField(fields: Fields, [name, ...rest]: readonly string[], value?: Json): Fields {
  if (name === undefined) return fields;
  const { [name]: old, ...others } = fields;
  const inner = rest.length > 0 ? withField(isFields(old) ? old : {}, rest, value) : value;
  const isEmpty =
    inner === undefined || (rest.length > 0 && Object.keys(Object(inner)).length === 0);
  if (isEmpty) return others;
  return { ...fields, [name]: inner };
}

/**
 * Returns the text with another value at a path; without a value, the field is removed. Returns the text unchanged if
 * it is no object.
 */
export function setField(text: string, path: readonly string[], value?: Json): string {
  const fields = parseFields(text);
  if (!fields) return text;
  const changed = withField(fields, path, value);
  return Object.keys(changed).length === 0 ? '' : JSON.stringify(changed, null, 2);
}
