// Recognizes a schema of a validator library where JSON is expected.

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
