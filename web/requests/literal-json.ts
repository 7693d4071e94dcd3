// Writes literals of a script as JSON, in which each character knows its place in the script.
import { LiteralError, type Language } from './literal-string.js';
import type { Literal, Member, StringLiteral } from './literal.js';
import { WrittenString, type QuoteStyle } from './written-string.js';

const comments: Record<Language, RegExp> = {
  python: /\s+|#[^\n]*/g,
  javascript: /\s+|\/\/[^\n]*|\/\*[^]*?\*\//g,
};

/** The values of variables may be written several times, but in all not longer than this many times the script. */
const maxRepeats = 16;

/** Writes values one behind the other. */
class JsonWriter {
  readonly json: WrittenString;
  readonly #text: string;
  readonly #language: Language;
  readonly #style: QuoteStyle;
  readonly #textStyle: QuoteStyle;

  constructor(text: string, language: Language, from: number) {
    this.json = new WrittenString(from);
    this.#text = text;
    this.#language = language;
    [this.#style, this.#textStyle] =
      language === 'python' ? ['python', 'python-text'] : ['verbatim', 'script-text'];
  }

  value(literal: Literal): void {
    const { from, to } = literal;
    if (this.json.value.length > maxRepeats * this.#text.length + 1000)
      throw new LiteralError('The values of variables are repeated too often', from);
    if (literal.kind === 'string') this.#string(literal);
    else if (literal.kind === 'scalar') this.json.add(literal.json, from, to - from, this.#style);
    else if (literal.kind === 'reference') this.#reference(literal.target, from, to);
    else if (literal.kind === 'code' || literal.kind === 'call')
      this.json.addComputed(
        JSON.stringify(this.#text.slice(from, to)),
        from,
        to - from,
        'verbatim',
      );
    else if (literal.isFixed === true) this.#fixed(literal);
    else this.#bracketed(literal);
  }

  #string({ from, to, value: string }: StringLiteral): void {
    const { value } = string;
    if (from === to) return this.#added(JSON.stringify(value), from);
    const [first, last] = [string.placeOf(0), string.rangeOf(0, value.length).to];
    const isEmpty = value === '';
    this.json.add('"', from, isEmpty ? to - from - 1 : first - from, this.#style);
    let at = 0;
    for (const { index, 0: character } of value.matchAll(/["\\\p{Cc}\u2028\u2029]/gu)) {
      this.json.addPart(string, at, index, 'text', this.#textStyle);
      const place = string.rangeOf(index, index + 1);
      const escaped = JSON.stringify(character).slice(1, -1);
      this.json.add(escaped, place.from, place.to - place.from, this.#textStyle);
      at = index + 1;
    }
    this.json.addPart(string, at, value.length, 'text', this.#textStyle);
    if (isEmpty) this.json.add('"', to - 1, 1, this.#style);
    else this.json.add('"', last, to - last, this.#style);
  }

  /** Adds what the script does not have, so that nothing there can be changed. */
  #added(json: string, place: number, length = 0): void {
    this.json.addComputed(json, place, length, 'verbatim');
  }

  // A change may not reach from one statement into another, nor from what is added into what is there.
  #apart(from: number, to: number, write: () => void): void {
    this.#added(' ', from);
    this.json.add(' ', from, 0, this.#style);
    write();
    this.json.add(' ', to, 0, this.#style);
    this.#added(' ', to);
  }

  #reference(target: Literal, from: number, to: number): void {
    this.#apart(from, to, () => this.value(target));
  }

  // What is between two tokens, without comments.
  #gap(from: number, to: number): void {
    for (const { index, 0: found } of this.#text.slice(from, to).matchAll(comments[this.#language]))
      if (/\s/.test(found[0] ?? '')) this.json.add(found, from + index, found.length, this.#style);
  }

  #bracketed(literal: Extract<Literal, { open: number }>): void {
    const { from, open, commas, end, to } = literal;
    const isList = literal.kind === 'list';
    const parts: (Literal | Member)[] = isList ? literal.items : literal.members;
    this.json.add(isList ? '[' : '{', from, open - from, this.#style);
    let at = open;
    for (const [i, part] of parts.entries()) {
      const comma = commas[i - 1];
      if (comma !== undefined) {
        this.#gap(at, comma);
        this.json.add(',', comma, 1, this.#style);
        at = comma + 1;
      }
      const value = 'key' in part ? part.value : part;
      if ('key' in part) {
        const { key, colon } = part;
        this.#gap(at, key.from);
        this.#string(key);
        this.#gap(key.to, colon);
        this.json.add(':', colon, value.from > colon ? 1 : 0, this.#style);
        at = Math.min(colon + 1, value.from);
      }
      this.#gap(at, value.from);
      this.value(value);
      at = value.to;
    }
    this.#gap(at, end);
    this.json.add(isList ? ']' : '}', end, to - end, this.#style);
  }

  #fixed(literal: Extract<Literal, { open: number }>): void {
    const { from, open, end, to } = literal;
    const isList = literal.kind === 'list';
    const parts: (Literal | Member)[] = isList ? literal.items : literal.members;
    this.#added(isList ? '[' : '{', from, open - from);
    for (const [i, part] of parts.entries()) {
      const isMember = 'key' in part;
      const value = isMember ? part.value : part;
      if (i > 0) this.#added(',', value.from);
      if (isMember) {
        const { key } = part;
        this.#added(JSON.stringify(key.value.value), key.from, key.to - key.from);
        this.#added(':', value.from);
      }
      this.#apart(value.from, value.to, () => this.value(value));
    }
    this.#added(isList ? ']' : '}', end, to - end);
  }
}

/**
 * Returns a literal of a script as JSON.
 *
 * @throws LiteralError if variables make it too long
 */
export function jsonOf(text: string, language: Language, literal: Literal): WrittenString {
  const writer = new JsonWriter(text, language, literal.from);
  writer.value(literal);
  writer.json.to = literal.to;
  return writer.json;
}
