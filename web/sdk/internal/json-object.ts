// Tells JSON objects and texts from other values, and reads fields in both spellings that the API takes.

/** The fields of a JSON object whose values are not known. */
export type JsonFields = { [name: string]: unknown };

/** Returns whether a value is a JSON object: neither an array nor null. */
export const isObject = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a string, or an empty one for any other value. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns a field by its name in camelCase, whether it is spelled so or in snake_case. */
export const field = <Value>(
  fields: { readonly [name: string]: Value },
  name: string,
): Value | undefined =>
  fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
