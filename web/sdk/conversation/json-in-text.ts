// Why this file exists: rows of JSON repeat by nature, so whoever looks for repeated words must know them from
// JSON. It is told by its characters while it streams; nothing is parsed.

/** Words outside of JSON, what JSON has around its strings, or what stands in one of them. */
type Kind = 'prose' | 'json' | 'string';

/** A piece of a text that is all of one kind. */
export interface Run {
  kind: Kind;
  text: string;
}

// What may stand in JSON outside of strings.
const outside = /[\s{}[\]",:\d.+\-Eaeflnrstu]/;

/** Finds the JSON in a text: from a bracket that begins a line, or follows other JSON, to the one that closes it. */
export class JsonInText {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #lineBegins = true;
  /** The last thing was JSON; more of it may follow. */
  #isBehind = false;

  /** Cuts the next piece of the text into runs. */
  split(piece: string): Run[] {
    const runs: Run[] = [];
    for (const text of piece) {
      const kind = this.#kindOf(text);
      const last = runs.at(-1);
      if (last?.kind === kind) last.text += text;
      else runs.push({ kind, text });
    }
    return runs;
  }

  #kindOf(character: string): Kind {
    if (this.#inString) return this.#endsString(character);
    if (this.#depth === 0) return this.#begins(character);
    if (!outside.test(character)) {
      // A bracket that only stood there.
      this.#depth = 0;
      this.#isBehind = false;
      this.#lineBegins = false;
      return 'prose';
    }
    this.#inString = character === '"';
    if (character === '{' || character === '[') this.#depth++;
    if (character === '}' || character === ']') this.#depth--;
    return 'json';
  }

  #endsString(character: string): Kind {
    const ends = character === '"' && !this.#escaped;
    this.#escaped = character === '\\' && !this.#escaped;
    this.#inString = !ends;
    return ends ? 'json' : 'string';
  }

  #begins(character: string): Kind {
    if ((this.#lineBegins || this.#isBehind) && (character === '{' || character === '[')) {
      this.#depth = 1;
      this.#isBehind = true;
      return 'json';
    }
    if (this.#isBehind && /[\s,]/.test(character)) return 'json';
    this.#isBehind = false;
    this.#lineBegins = character === '\n' || (this.#lineBegins && /\s/.test(character));
    return 'prose';
  }
}
