// Maps strings as they are written in a text to their values, with the place of each character.

/** How a piece of the string is written: in JSON, in a shell, or in a script. */
export type QuoteStyle =
  | 'json'
  | 'plain'
  | 'single'
  | 'ansi-c'
  | 'double'
  | 'document'
  | 'verbatim'
  | 'caret'
  | 'cmd-quoted'
  | 'powershell'
  | 'powershell-single'
  /** A string of JavaScript or Python. */
  | 'script-string'
  | 'python-string'
  /** A literal of Python in place of JSON; what is in the strings of such literals. */
  | 'python'
  | 'python-text'
  | 'script-text';

const openers: { [style in QuoteStyle]?: string } = { single: "'", 'ansi-c': "$'", double: '"' };
const closers: { [style in QuoteStyle]?: string } = { single: "'", 'ansi-c': "'", double: '"' };

const controls: { [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const controlEscape = (character: string) =>
  controls[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

// The C runtime of Windows reads backslashes as escapes only before a quotation mark.
const escapeQuotes = (text: string, quote: string) =>
  text.replace(/(\\*)"/g, (_, slashes: string) => slashes + slashes + quote);

const jsonText = (text: string) => JSON.stringify(text).slice(1, -1);
const pythonWords: { [json: string]: string } = { true: 'True', false: 'False', null: 'None' };

const writers: { [style in QuoteStyle]: (text: string) => string } = {
  json: jsonText,
  plain: (text) => text.replace(/[^\w/.:=@%+,-]/g, '\\$&'),
  single: (text) => text.replaceAll("'", `'\\''`),
  'ansi-c': (text) => text.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, controlEscape),
  double: (text) => text.replace(/[\\"$`]/g, '\\$&'),
  document: (text) => text.replace(/[\\$`]/g, '\\$&'),
  verbatim: (text) => text,
  caret: (text) =>
    escapeQuotes(text, '\\"')
      .replace(/[^\w\s:=+~'/.',?;()*`-]/g, '^$&')
      .replace(/\r?\n/g, '^\n\n'),
  'cmd-quoted': (text) => escapeQuotes(text, '""').replace(/\r?\n/g, '"^\n\n"'),
  powershell: (text) =>
    text
      .replace(/[`$"]/g, '`$&')
      .replace(/[^ -~]/g, (character) => `$([char]${character.charCodeAt(0)})`),
  'powershell-single': (text) => text.replaceAll("'", "''"),
  'script-string': (text) => jsonText(text).replace(/['`]|\$\{/g, '\\$&'),
  'python-string': (text) => jsonText(text).replaceAll("'", "\\'"),
  python: (json) =>
    json.replace(/"(?:[^"\\]|\\.)*"|true|false|null/g, (word) => pythonWords[word] ?? word),
  'python-text': (text) => text.replaceAll("'", "\\'"),
  'script-text': (text) => text.replace(/['`]|\$\{/g, '\\$&'),
};

/** The characters `[from, to)` of a string. */
export interface Characters {
  from: number;
  to: number;
}

/** Returns the index of the first of ascending ranges that ends behind an offset. */
export function firstBehind(ranges: readonly Characters[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A string, and where each of its characters is written. Places are UTF-16 offsets in the text. */
export class WrittenString {
  #value = '';
  readonly #starts: number[] = [];
  readonly #places: number[] = [];
  readonly #lengths: number[] = [];
  readonly #styles: QuoteStyle[] = [];
  /** The characters that the shell computes when the command runs. */
  readonly computed: Characters[] = [];
  /** The place of the whole string, with its quotes. */
  readonly from: number;
  to: number;

  constructor(from: number) {
    this.from = from;
    this.to = from;
  }

  get value(): string {
    return this.#value;
  }

  /** Appends characters that are written at `place`. `length` differs from theirs for an escape sequence. */
  add(value: string, place: number, length: number, style: QuoteStyle): void {
    if (value === '') return;
    if (value.length === length && this.#continues(place, style)) {
      const last = this.#lengths.length - 1;
      this.#lengths[last] = (this.#lengths[last] ?? 0) + length;
      this.#value += value;
      return;
    }
    this.#starts.push(this.#value.length);
    this.#places.push(place);
    this.#lengths.push(length);
    this.#styles.push(style);
    this.#value += value;
  }

  /** Appends what the shell computes, such as `$(date)`, as it is written. */
  addComputed(value: string, place: number, length: number, style: QuoteStyle): void {
    const from = this.#value.length;
    this.add(value, place, length, style);
    const last = this.computed.at(-1);
    if (last?.to === from) last.to = this.#value.length;
    else this.computed.push({ from, to: this.#value.length });
  }

  /**
   * Appends the characters `[from, to)` of another string, with their places; as `text`, none of them is computed.
   * `style` says how they are written, if not as there.
   */
  addPart(other: WrittenString, from: number, to: number, kind?: 'text', style?: QuoteStyle): void {
    const before = this.#value.length - from;
    for (let run = Math.max(0, other.#runOf(from)); run < other.#starts.length; run++) {
      const begin = other.#starts[run] ?? 0;
      if (begin >= to) break;
      const end = other.#starts[run + 1] ?? other.#value.length;
      const length = other.#lengths[run] ?? 0;
      const skipped = Math.max(0, from - begin);
      const value = other.#value.slice(begin + skipped, Math.min(end, to));
      const isLiteral = end - begin === length;
      this.add(
        value,
        (other.#places[run] ?? 0) + (isLiteral ? skipped : 0),
        isLiteral ? value.length : length,
        style ?? other.#styles[run] ?? 'plain',
      );
    }
    if (kind === 'text') return;
    for (let i = firstBehind(other.computed, from); i < other.computed.length; i++) {
      const each = other.computed[i] ?? { from: to, to };
      if (each.from >= to) break;
      const begin = Math.max(from, each.from) + before;
      this.computed.push({ from: begin, to: Math.min(to, each.to) + before });
    }
  }

  /** Returns where the character at an offset is written. */
  placeOf(offset: number): number {
    const run = this.#runOf(offset);
    if (run < 0) return this.from;
    if (offset >= this.#value.length) return this.#endOf(this.#value.length);
    return (this.#places[run] ?? 0) + this.#within(run, offset);
  }

  /** Returns the range in which the characters `[from, to)` are written. */
  rangeOf(from: number, to: number): { from: number; to: number } {
    const start = this.placeOf(from);
    return { from: start, to: from === to ? start : Math.max(start, this.#endOf(to)) };
  }

  /** Returns the text that replaces `rangeOf(from, to)` so that the string then holds `value` there. */
  written(value: string, from: number, to: number): string {
    const first = this.styleAt(from);
    const last = from === to ? first : this.styleAt(to - 1);
    const written = writers[first](value);
    if (first === last) return written;
    return `${written}${closers[first] ?? ''}${openers[last] ?? ''}`;
  }

  /** Returns the string without its first characters. */
  after(offset: number): WrittenString {
    const rest = new WrittenString(this.placeOf(offset));
    rest.to = this.to;
    rest.addPart(this, offset, this.#value.length);
    return rest;
  }

  // Returns whether the last run is written as it is, in this style, and ends at `place`.
  #continues(place: number, style: QuoteStyle): boolean {
    const last = this.#starts.length - 1;
    const length = this.#lengths[last];
    if (length === undefined || this.#styles[last] !== style) return false;
    const isLiteral = this.#value.length - (this.#starts[last] ?? 0) === length;
    return isLiteral && (this.#places[last] ?? 0) + length === place;
  }

  /** Returns how the character at an offset is written. */
  styleAt(offset: number): QuoteStyle {
    const last = Math.min(offset, this.#value.length - 1);
    return this.#styles[this.#runOf(last)] ?? 'verbatim';
  }

  // Returns the end of the character before `offset`.
  #endOf(offset: number): number {
    const run = this.#runOf(offset - 1);
    if (run < 0) return this.from;
    const end = this.#starts[run + 1] ?? this.#value.length;
    const length = this.#lengths[run] ?? 0;
    const behind = offset >= end ? length : this.#within(run, offset);
    return (this.#places[run] ?? 0) + behind;
  }

  // An escape sequence has no inner places.
  #within(run: number, offset: number): number {
    const start = this.#starts[run] ?? 0;
    const end = this.#starts[run + 1] ?? this.#value.length;
    return end - start === this.#lengths[run] ? offset - start : 0;
  }

  #runOf(offset: number): number {
    let [low, high] = [-1, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}

const escapes: { [letter: string]: string } = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads the JSON string that begins with the quotation mark at `from`. The text must be valid JSON. */
export function readJsonString(text: string, from: number): WrittenString {
  const string = new WrittenString(from);
  let start = from + 1;
  let at = start;
  for (; at < text.length && text[at] !== '"';) {
    if (text[at] !== '\\') {
      at += 1;
      continue;
    }
    string.add(text.slice(start, at), start, at - start, 'json');
    const letter = text[at + 1] ?? '';
    const length = letter === 'u' ? 6 : 2;
    const code = Number.parseInt(text.slice(at + 2, at + 6), 16);
    const value = letter === 'u' ? String.fromCharCode(code) : (escapes[letter] ?? letter);
    string.add(value, at, length, 'json');
    at += length;
    start = at;
  }
  string.add(text.slice(start, at), start, at - start, 'json');
  string.to = at + 1;
  return string;
}
