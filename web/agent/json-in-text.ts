// Splits streamed text into prose, JSON and JSON strings, character by character and without parsing. Loop
// detection needs this because rows of JSON repeat by nature.

/** Text outside JSON, JSON outside its strings, or the content of a JSON string. */
type Kind = 'prose' | 'json' | 'string';

/** A piece of text of one kind. */
export interface Run {
  kind: Kind;
  text: string;
}

// Characters that JSON may have outside strings.
const structural = /[\s{}[\]",:\d.+\-Eaeflnrstu]/;

/** Finds JSON in text: from a bracket that starts a line or follows other JSON, to the matching bracket. */
export class JsonSplitter {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #atLineStart = true;
  /** The preceding text was JSON, so more JSON may follow on the same line. */
  #followsJson = false;

  /** Splits the next piece of the text into runs. */
  split(piece: string): Run[] {
    if (this.#isOnlyProse(piece)) return [{ kind: 'prose', text: piece }];
    const runs: Run[] = [];
    let [begin, last] = [0, undefined as Kind | undefined];
    for (let index = 0; index < piece.length; index++) {
      const kind = this.#kindOf(piece.charAt(index));
      if (kind === last) continue;
      if (last) runs.push({ kind: last, text: piece.slice(begin, index) });
      [begin, last] = [index, kind];
    }
    return last ? [...runs, { kind: last, text: piece.slice(begin) }] : runs;
  }

  // Most text; the other way costs a call for each character.
  #isOnlyProse(piece: string): boolean {
    const mayBeJson = this.#depth > 0 || this.#inString || this.#followsJson;
    if (mayBeJson || piece === '' || /[{[]/.test(piece)) return false;
    const line = piece.slice(piece.lastIndexOf('\n') + 1);
    const startsLine = this.#atLineStart || line.length < piece.length;
    this.#atLineStart = startsLine && line.trim() === '';
    return true;
  }

  #kindOf(character: string): Kind {
    if (this.#inString) return this.#kindInString(character);
    if (this.#depth === 0) return this.#kindOutsideJson(character);
    if (!structural.test(character)) {
      // The bracket was part of prose.
      this.#depth = 0;
      this.#followsJson = false;
      this.#atLineStart = false;
      return 'prose';
    }
    this.#inString = character === '"';
    if (character === '{' || character === '[') this.#depth++;
    if (character === '}' || character === ']') this.#depth--;
    return 'json';
  }

  #kindInString(character: string): Kind {
    const ends = character === '"' && !this.#escaped;
    this.#escaped = character === '\\' && !this.#escaped;
    this.#inString = !ends;
    return ends ? 'json' : 'string';
  }

  #kindOutsideJson(character: string): Kind {
    if ((this.#atLineStart || this.#followsJson) && (character === '{' || character === '[')) {
      this.#depth = 1;
      this.#followsJson = true;
      return 'json';
    }
    if (this.#followsJson && /[\s,]/.test(character)) return 'json';
    this.#followsJson = false;
    this.#atLineStart = character === '\n' || (this.#atLineStart && /\s/.test(character));
    return 'prose';
  }
}
