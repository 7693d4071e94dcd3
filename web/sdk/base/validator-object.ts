// Recognizes a schema of a validator library where JSON is expected.

/**
 * Returns the library's name if `value` is a schema with the Standard Schema interface (https://standardschema.dev)
 * whose own properties are no JSON Schema. A JSON Schema of `z.toJSONSchema` hides that interface in a plain object.
 */
export function validatorName(value: unknown): string | undefined {
  const standard = Object(value)['~standard'];
  if (standard === undefined) return undefined;
  const isOwnForm =
    Object.getPrototypeOf(value) !== Object.prototype ||
    Object.prototype.propertyIsEnumerable.call(value, '~standard');
  return isOwnForm ? String(Object(standard).vendor) : undefined;
}
