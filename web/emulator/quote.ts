// Why this file exists: who repeats a user's repetitions is taken for a model in a loop. So what is quoted is
// shorter than the 50 UTF-16 units that loop detection compares.

const longest = 48;

/** `text`, or its beginning; no character is cut in half. */
export function quote(text: string): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
