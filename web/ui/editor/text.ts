// Says about a text what editors and pages need: its lines, what differs between two texts, and how long it may be to
// have colors.

/** The longest text that is highlighted: longer ones would keep the page busy for seconds. */
export const maxHighlighted = 2_000_000;

/** Returns a text whose lines end with a line feed. */
export const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** A line and a column, both from 1. Columns count UTF-16 units, as in editors. */
export interface TextPlace {
  line: number;
  column: number;
}

/** Returns the places of UTF-16 offsets, which must be in ascending order, in one pass over the text. */
export function textPlaces(text: string, ascending: readonly number[]): TextPlace[] {
  let [line, start] = [1, 0];
  return ascending.map((offset) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < offset;) {
      line += 1;
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    return { line, column: offset - start + 1 };
  });
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
