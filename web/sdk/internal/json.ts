// Tells JSON objects, texts and schemas of validator libraries from other values.

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

// Before 3.24, schemas of zod have no Standard Schema interface.
const isZodObject = (value: { _def?: unknown; safeParse?: unknown }) =>
  typeof value._def === 'object' && typeof value.safeParse === 'function';

/**
 * Returns the library's name if `value` is a schema with the Standard Schema interface (https://standardschema.dev), or
 * of an older zod, whose own properties are no JSON Schema. A JSON Schema of `z.toJSONSchema` hides that interface in a
 * plain object.
 */
export function validatorName(value: unknown): string | undefined {
  const standard = Object(value)['~standard'];
  if (standard === undefined) return isZodObject(Object(value)) ? 'zod' : undefined;
  const isOwnForm =
    Object.getPrototypeOf(value) !== Object.prototype ||
    Object.prototype.propertyIsEnumerable.call(value, '~standard');
  return isOwnForm ? String(Object(standard).vendor) : undefined;
}
