// Why this file exists: anything can be thrown, also what no text can be made of.

/** What something that was thrown says. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown);
  } catch {
    return 'Something was thrown that has no text';
  }
}
