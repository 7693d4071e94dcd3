// Shortens quotations of the user's text to less than the 50 UTF-16 code units that loop detection compares.
// Otherwise a quoted repetition would be taken for a loop of the model.

const maxLength = 48;

/** Returns `text` or its beginning. Surrogate pairs are not split. */
export function quote(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
