// Reads a string of JavaScript or Python, with the place of each character.
import { WrittenString, type QuoteStyle } from './written-string.js';

export type Language = 'javascript' | 'python';

/** A text of a script cannot be read. The message has no place: `at` is the offset of it. */
export class LiteralError extends Error {
  override name = 'LiteralError';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** A string, and whether a run puts values into it. */
export interface ReadString {
  value: WrittenString;
  to: number;
  isComputed: boolean;
}

const letters: { [letter: string]: string } = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
  '\r\n': '',
};

// \x41, \u00e9, \u{1f600}, \U0001f600, \101, or a letter.
const escape =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|U([\da-fA-F]{8})|([0-7]{1,3})|(\r\n|[^]))/y;

const opening = /([a-z]{0,2})('''|"""|'|"|`)/iy;

/** Returns the character of an escape sequence, and its length. */
function readEscape(text: string, at: number, language: Language): [string, number] {
  escape.lastIndex = at;
  const [all = '\\', x, u, braced, long, octal, letter = ''] = escape.exec(text) ?? [];
  const code = Number.parseInt(x ?? u ?? braced ?? long ?? octal ?? '', octal ? 8 : 16);
  if (code <= 0x10ffff) return [String.fromCodePoint(code), all.length];
  const isPython = language === 'python';
  if (isPython && letter === 'a') return ['\x07', all.length];
  // Python keeps the backslash before a letter that it does not know.
  const unknown = isPython && !/["'\\]/.test(letter) ? all : letter;
  return [letters[letter] ?? unknown, all.length];
}

// Returns the end of ${…} in a template literal, or that of the text.
function templateEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * Reads the string that begins at an offset, with its prefix.
 *
 * @throws LiteralError if it does not end
 */
export function readLiteralString(text: string, from: number, language: Language): ReadString {
  opening.lastIndex = from;
  const [, prefix = '', found = '"'] = opening.exec(text) ?? [];
  // Two quotation marks and a third one are an empty string in JavaScript.
  const quote = language === 'python' ? found : (found[0] ?? '"');
  const isRaw = /r/i.test(prefix);
  const isTemplate = quote === '`';
  const isLong = quote.length === 3 || isTemplate;
  const style: QuoteStyle = language === 'python' ? 'python-string' : 'script-string';
  const value = new WrittenString(from);
  const contentFrom = from + prefix.length + quote.length;
  const isFormat = /f/i.test(prefix);
  let isComputed = /b/i.test(prefix);
  let start = contentFrom;
  let at = start;
  const flush = () => value.add(text.slice(start, at), start, at - start, style);
  const stop = isLong ? /[\\`'"$]/g : /[\\'"\n]/g;
  for (;;) {
    stop.lastIndex = at;
    at = stop.exec(text)?.index ?? text.length;
    if (at >= text.length || text[at] === '\n')
      throw new LiteralError('The string that begins here does not end', from);
    if (text.startsWith(quote, at)) break;
    if (text[at] === '\\') {
      if (isRaw) {
        at += 2;
        continue;
      }
      flush();
      const [character, length] = readEscape(text, at, language);
      value.add(character, at, length, style);
      start = at += length;
    } else if (isTemplate && text.startsWith('${', at)) {
      isComputed = true;
      at = templateEnd(text, at + 1);
    } else at += 1;
  }
  flush();
  if (isFormat && /\{/.test(text.slice(contentFrom, at))) isComputed = true;
  value.to = at + quote.length;
  return { value, to: value.to, isComputed };
}
