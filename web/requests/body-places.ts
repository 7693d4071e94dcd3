// Maps places in the body of a request to the text that somebody pasted.
import { decodeDocument } from '../sdk/internal/bytes.js';
import type { Request } from './request.js';
import type { WrittenString } from './written-string.js';

/** A half-open range of UTF-16 offsets. */
interface TextRange {
  from: number;
  to: number;
}

/** Where a body is in a text. All offsets are in UTF-16 units. */
export class BodyPlaces {
  /** The body as text. */
  readonly body: string;
  readonly #start: number;
  readonly #string: WrittenString | undefined;
  readonly #skipped: number;

  /** `start` is where the body begins in `text`; a body inside a string says so itself. */
  constructor(text: string, request: Request, start: number) {
    this.body = decodeDocument(request.body);
    this.#start = start;
    this.#string = request.quoted?.read(text);
    this.#skipped = request.quoted?.skipped ?? 0;
  }

  /** Returns where `[from, to)` of the body is in the text. */
  range({ from, to }: TextRange): TextRange {
    const string = this.#string;
    if (string) return string.rangeOf(from + this.#skipped, to + this.#skipped);
    return { from: Math.max(0, this.#start + from), to: Math.max(0, this.#start + to) };
  }

  /** Returns how `value` is written in the text in place of `[from, to)` of the body. */
  written(value: string, { from, to }: TextRange): string {
    return this.#string?.written(value, from + this.#skipped, to + this.#skipped) ?? value;
  }
}
