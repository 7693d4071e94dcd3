// Converts offsets of a text: bytes to UTF-16 units and back, units to lines and columns.
import type { Diagnostic } from '../index.js';
import type { Place } from './request.js';

const blockSize = 1 << 12;

/** Counts UTF-16 units up to byte offsets that are asked for in ascending order. */
export class AscendingOffsets {
  readonly #bytes: Uint8Array;
  #at = 0;
  #units = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the UTF-16 offset of a byte offset. */
  units(offset: number): number {
    for (; this.#at < offset; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if ((byte & 0xc0) !== 0x80) this.#units += byte >= 0xf0 ? 2 : 1;
    }
    return this.#units;
  }
}

/** The bytes and lines before each UTF-16 offset of a text, which is read once. */
export class TextOffsets {
  readonly text: string;
  readonly #encoder = new TextEncoder();
  /** The bytes before each block of the text. */
  readonly #bytes = [0];
  #lines: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns how many bytes of UTF-8 stand before an offset, which is not inside a surrogate pair. */
  bytes(offset: number): number {
    const block = Math.floor(offset / blockSize);
    for (let at = this.#bytes.length; at <= block; at++)
      this.#bytes[at] = (this.#bytes[at - 1] ?? 0) + this.#count(at - 1, this.#start(at));
    return (this.#bytes[block] ?? 0) + this.#count(block, offset);
  }

  /** Returns the line and column of an offset. */
  place(offset: number): Place {
    const starts = (this.#lines ??= this.#lineStarts());
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  // The start of a block, moved out of a surrogate pair.
  #start(block: number): number {
    const at = block * blockSize;
    return /[\udc00-\udfff]/.test(this.text[at] ?? '') ? at - 1 : at;
  }

  #count(block: number, to: number): number {
    return this.#encoder.encode(this.text.slice(this.#start(block), to)).length;
  }

  #lineStarts(): number[] {
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1))
      starts.push(at + 1);
    return starts;
  }
}

/** Returns the message of a diagnostic. If it names a place of the body, it then names that of the whole text. */
export function withPlace({ code, message }: Diagnostic, { line, column }: Place): string {
  if (!code.startsWith('json.')) return message;
  const own = /line \d+, column \d+(?: \(byte \d+\))?/;
  return message.replace(own, `line ${line}, column ${column}`);
}
