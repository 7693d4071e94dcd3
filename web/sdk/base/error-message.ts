// Why this file exists: anything can be thrown, and telling of it must not throw again.

/** What an error says; its name where it says nothing. Always a string. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.message || error.name}` : String(error);
  } catch {
    return 'What was thrown says nothing of itself.';
  }
}
