// Finds in an answer's text the pieces that the API names by UTF-8 bytes, as positions in a JavaScript string.

/** A piece of the text, in bytes. */
export interface Segment {
  /** Default: 0, which the API omits. */
  startIndex?: number;
  endIndex?: number;
  /** The Part that the bytes count from. Default: the whole text. */
  partIndex?: number;
  /** The piece itself, if the API repeats it. */
  text?: string;
}

/** A piece of the text, in UTF-16 code units, as `String.prototype.slice` takes them. */
export interface Span {
  start: number;
  end: number;
}

const encoder = new TextEncoder();
// It keeps a byte order mark, which is text here.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The text of an answer, which came in pieces: its Parts, or the texts of its steps. */
export class CitedText {
  readonly text: string;
  readonly #bytes: Uint8Array;
  /** Where each piece begins, in bytes. */
  readonly #starts: number[] = [];

  constructor(pieces: readonly string[]) {
    this.text = pieces.join('');
    this.#bytes = encoder.encode(this.text);
    let start = 0;
    for (const piece of pieces) {
      this.#starts.push(start);
      start += encoder.encode(piece).length;
    }
  }

  /** Returns where a segment is; undefined if the text does not have it. */
  spanOf(segment: Segment): Span | undefined {
    const { startIndex = 0, endIndex, partIndex, text } = segment;
    if (endIndex !== undefined && endIndex > startIndex) {
      // Recorded answers count from the start of the text, also those of several Parts. The documentation says "within
      // the Part", so that is tried as well where the repeated text can tell.
      const own = this.#starts[partIndex ?? 0] ?? 0;
      const bases = text === undefined ? [own] : [0, own];
      for (const base of bases) {
        const span = this.#spanOfBytes(base + startIndex, base + endIndex);
        if (span && (text === undefined || this.text.slice(span.start, span.end) === text))
          return span;
      }
    }
    return text === undefined || text === '' ? undefined : this.#nearest(text, startIndex);
  }

  #spanOfBytes(start: number, end: number): Span | undefined {
    if (end > this.#bytes.length) return undefined;
    // A character is cited as a whole.
    let [from, to] = [start, end];
    while (isInside(this.#bytes[from])) from--;
    while (isInside(this.#bytes[to])) to++;
    return { start: this.#position(from), end: this.#position(to) };
  }

  #position(bytes: number): number {
    return decoder.decode(this.#bytes.subarray(0, bytes)).length;
  }

  // The text may have changed after the API counted: recordings have other spaces than it had.
  #nearest(text: string, startIndex: number): Span | undefined {
    const expected = this.#position(Math.min(startIndex, this.#bytes.length));
    let best: number | undefined;
    for (let at = this.text.indexOf(text); at >= 0; at = this.text.indexOf(text, at + 1)) {
      if (best === undefined || Math.abs(at - expected) < Math.abs(best - expected)) best = at;
    }
    return best === undefined ? undefined : { start: best, end: best + text.length };
  }
}
