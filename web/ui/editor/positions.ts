// Finds the lines of positions in a text.

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
