/** Returns whether a text is JSON; with `parse`, as that function reads it. */
export function isJson(text: string, parse: (text: string) => unknown = JSON.parse): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
