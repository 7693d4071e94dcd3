// Converts the core's byte offsets in a text to UTF-16 offsets, which editors use.

const bytesOf = (codePoint: number) =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;

/**
 * Returns the UTF-16 offsets of byte offsets, in one pass over the text. A byte offset inside a character gives the
 * start of that character, and one beyond the end gives the end.
 */
export function utf16Offsets(text: string, byteOffsets: readonly number[]): number[] {
  const order = byteOffsets.map((bytes, index) => ({ bytes, index }));
  order.sort((a, b) => a.bytes - b.bytes);
  const offsets = byteOffsets.map(() => 0);
  let [at, bytes] = [0, 0];
  for (const wanted of order) {
    while (at < text.length) {
      const codePoint = text.codePointAt(at) ?? 0;
      const next = bytes + bytesOf(codePoint);
      if (next > wanted.bytes) break;
      bytes = next;
      at += codePoint < 0x10000 ? 1 : 2;
    }
    offsets[wanted.index] = at;
  }
  return offsets;
}

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
