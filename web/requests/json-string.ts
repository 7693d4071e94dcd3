// Reads a JSON string with the places of its characters.
import { WrittenString } from './written-string.js';

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
