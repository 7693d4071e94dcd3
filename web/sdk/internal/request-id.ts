// Reads the id that Google gives a response, for support requests.

/** Returns the `responseId` of a response, or undefined if it has none. */
export function requestIdOf(response: unknown): string | undefined {
  const { responseId } = Object(response);
  return typeof responseId === 'string' ? responseId : undefined;
}
