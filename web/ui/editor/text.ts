// Finds the lines of a text and what differs between two texts, and says how long one with colors may be.

/** The longest text that is highlighted: longer ones would keep the page busy for seconds. */
export const maxHighlighted = 2_000_000;

/** Returns a text whose lines end with a line feed. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Returns the lines of UTF-16 offsets, from 1, in one pass over the text. */
export function linesOf(text: string, offsets: readonly number[]): number[] {
  const lines = new Map<number, number>();
  let [line, end] = [1, text.indexOf('\n')];
  for (const offset of [...offsets].sort((a, b) => a - b)) {
    for (; end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) line += 1;
    lines.set(offset, line);
  }
  return offsets.map((offset) => lines.get(offset) ?? 1);
}

/** Returns the smallest single replacement that makes `after` out of `before`; undefined if they are equal. */
export function differenceOf(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
