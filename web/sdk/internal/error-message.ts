// Converts a thrown value of any type to a message without throwing again.

const isObject = (value: unknown): value is { message?: unknown } =>
  typeof value === 'object' && value !== null;

/**
 * Returns the message of an error or of another object, or an error's name if the message is empty; for other values,
 * the value as text, for objects as JSON.
 */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof Error) return `${error.message || error.name}`;
    if (!isObject(error)) return String(error);
    const { message } = error;
    return typeof message === 'string' ? message : String(JSON.stringify(error));
  } catch {
    return 'The thrown value cannot be converted to a string.';
  }
}
