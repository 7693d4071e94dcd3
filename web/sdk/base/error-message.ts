// Converts a thrown value of any type to a message without throwing again.

/** Returns the message of an error, or its name if the message is empty; for other values, the value as a string. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.message || error.name}` : String(error);
  } catch {
    return 'The thrown value cannot be converted to a string.';
  }
}
