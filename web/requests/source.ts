// Maps byte offsets of a file to lines and columns, and cuts excerpts out of it.
import { decodeDocument, decodeUtf8 } from '../sdk/base/utf8.js';
import { maxSecretLength, withoutSecrets } from './secrets.js';

/** A file and its bytes. */
export interface Source {
  /** The name as given on the command line; `<stdin>` for standard input. */
  name: string;
  bytes: Uint8Array;
}

/** A position in a file. Both numbers start at 1; columns are in UTF-16 code units, as in editors. */
export interface Place {
  line: number;
  column: number;
}

const blockSize = 1 << 16;

const isContinuation = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80;

/** Finds the positions of byte offsets in one text, with a binary search over its line starts. */
export class Lines {
  readonly #bytes: Uint8Array;
  readonly #starts = [0];
  // The number of characters before each block, computed on demand: a single line may be as long as the file.
  readonly #characters = [0];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  /** Returns the position of a byte offset. */
  place(offset: number): Place {
    const line = this.#lineOf(offset);
    const start = this.#starts[line] ?? 0;
    return { line: line + 1, column: this.#countTo(offset) - this.#countTo(start) + 1 };
  }

  /** Returns at most `width` characters of the line around an offset, and the index of the offset in them. */
  excerpt(offset: number, width: number): { text: string; mark: number } {
    const start = this.#starts[this.#lineOf(offset)] ?? 0;
    // Far enough on both sides to contain any key or token completely, so that it is redacted.
    const from = Math.max(start, offset - maxSecretLength);
    const newline = this.#bytes.indexOf(10, offset);
    const last = offset + 4 * width + maxSecretLength;
    const end = Math.min(newline < 0 ? this.#bytes.length : newline, last);
    const before = this.#text(from, offset).trimStart();
    const after = this.#text(offset, end).trimEnd();
    const head = withoutSecrets(before).slice(-Math.floor(width / 3));
    const text = (head + withoutSecrets(after)).replace(/[\t\r]/g, ' ').slice(0, width);
    return { text, mark: head.length };
  }

  #countTo(offset: number): number {
    const block = Math.floor(offset / blockSize);
    for (let at = this.#characters.length; at <= block; at++) {
      const before = this.#characters[at - 1] ?? 0;
      this.#characters[at] = before + this.#count(this.#startOf(at - 1), this.#startOf(at));
    }
    return (this.#characters[block] ?? 0) + this.#count(this.#startOf(block), offset);
  }

  #count(from: number, to: number): number {
    return this.#text(from, to).length;
  }

  // Editors do not count the byte order mark at the start of a file.
  #text(from: number, to: number): string {
    const decode = from === 0 ? decodeDocument : decodeUtf8;
    return decode(this.#bytes.subarray(from, to));
  }

  // Returns the start of a block, moved to the start of a character.
  #startOf(block: number): number {
    const wanted = block * blockSize;
    let at = wanted;
    while (at > 0 && wanted - at < 3 && isContinuation(this.#bytes[at])) at -= 1;
    return at;
  }

  // Binary search: a body may have a million lines.
  #lineOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}
