// Why this file exists: a finding must be told with line and column of the file, and files are bytes.
import { decodeDocument, decodeUtf8 } from '../sdk/base/utf8.js';
import { longestSecret, withoutSecrets } from './secrets.js';

/** A file that was read. */
export interface Source {
  /** As it was named; `<stdin>` for standard input. */
  name: string;
  bytes: Uint8Array;
}

/** Where something stands; both count from 1, columns in characters as editors count them (UTF-16 units). */
export interface Place {
  line: number;
  column: number;
}

const blockSize = 1 << 16;

const isContinuation = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80;

/** Makes places of the byte offsets of one file; finding one costs little once the file was read. */
export class Lines {
  readonly #bytes: Uint8Array;
  readonly #starts = [0];
  // How many characters stand before each block, as far as was asked: a line may be a whole file.
  readonly #characters = [0];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  place(offset: number): Place {
    const line = this.#lineOf(offset);
    const start = this.#starts[line] ?? 0;
    return { line: line + 1, column: this.#countTo(offset) - this.#countTo(start) + 1 };
  }

  /** The text around an offset, on one line of at most `width` characters, and where in it the offset is. */
  excerpt(offset: number, width: number): { text: string; mark: number } {
    const start = this.#starts[this.#lineOf(offset)] ?? 0;
    // Far enough to both sides that a key or token is whole when it is taken out.
    const from = Math.max(start, offset - longestSecret);
    const newline = this.#bytes.indexOf(10, offset);
    const last = offset + 4 * width + longestSecret;
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

  // Editors do not count the byte order mark of a file.
  #text(from: number, to: number): string {
    const decode = from === 0 ? decodeDocument : decodeUtf8;
    return decode(this.#bytes.subarray(from, to));
  }

  // No block begins inside a character.
  #startOf(block: number): number {
    const wanted = block * blockSize;
    let at = wanted;
    while (at > 0 && wanted - at < 3 && isContinuation(this.#bytes[at])) at -= 1;
    return at;
  }

  // By halves: a body may have a million lines.
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
