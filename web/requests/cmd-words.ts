// Splits a command of Windows' cmd.exe into words, with the place of each character. Two programs read it: cmd.exe
// its carets, and then the C runtime quotation marks and backslashes.
import type { Command } from './posix-words.js';
import { WrittenString, type QuoteStyle } from './written-string.js';

interface Character {
  /** One character, or the name of a variable: `%NAME%`. */
  value: string;
  place: number;
  length: number;
  style: QuoteStyle;
}

const variable = /%\w+%/y;

/** Returns what cmd.exe passes on: carets escape outside of quotation marks, and continue a line. */
function readCarets(text: string, from: number): { characters: Character[]; end: number } {
  const characters: Character[] = [];
  let isQuoted = false;
  let at = from;
  while (at < text.length) {
    variable.lastIndex = at;
    let value = variable.exec(text)?.[0] ?? text[at] ?? '';
    let length = value.length;
    if (value === '^' && !isQuoted) {
      const [newline = ''] = /^\r?\n/.exec(text.slice(at + 1, at + 3)) ?? [];
      if (newline !== '') {
        at += 1 + newline.length;
        // After a continued line, the next character is taken as it is, also a line feed.
        const [second = ''] = /^\r?\n/.exec(text.slice(at, at + 2)) ?? [];
        if (second === '') continue;
        characters.push({
          ...{ value: '\n', place: at - 1 - newline.length, style: 'caret' },
          length: 1 + newline.length + second.length,
        });
        at += second.length;
        continue;
      }
      value = text[at + 1] ?? '';
      length = 2;
    } else if (value === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[\n&|]/.test(value)) break;
    characters.push({ value, place: at, length, style: isQuoted ? 'cmd-quoted' : 'caret' });
    at += length;
  }
  return { characters, end: at };
}

// A line feed that a caret escapes is part of a word.
const isBlank = (value: string | undefined) => value === ' ' || value === '\t' || value === '\r';

function slashesAt(characters: Character[], at: number): number {
  let slashes = 0;
  while (characters[at + slashes]?.value === '\\') slashes += 1;
  return slashes;
}

/** Adds a run of backslashes. Before a quotation mark, each pair is one, and the last escapes the mark. */
function addSlashes(
  characters: Character[],
  at: number,
  count: number,
  word: WrittenString,
): number {
  const isBeforeQuote = characters[at + count]?.value === '"';
  const end = at + count + (isBeforeQuote ? count % 2 : 0);
  const step = isBeforeQuote ? 2 : 1;
  for (; at < end; at += step) {
    const { place = 0, style = 'caret' } = characters[at] ?? {};
    const last = characters[at + step - 1];
    if (last) word.add(last.value, place, last.place + last.length - place, style);
  }
  return end;
}

/** Reads the word at `at` as the C runtime does. */
function readWord(characters: Character[], at: number, word: WrittenString): number {
  let isQuoted = false;
  while (at < characters.length) {
    const { value = '', place = 0, length = 0, style = 'caret' } = characters[at] ?? {};
    if (!isQuoted && isBlank(value)) break;
    const slashes = slashesAt(characters, at);
    const escaped = characters[at + 1];
    if (slashes > 0) {
      at = addSlashes(characters, at, slashes, word);
    } else if (value.length > 1) {
      word.addComputed(value, place, length, style);
      at += 1;
    } else if (value !== '"') {
      word.add(value, place, length, style);
      at += 1;
    } else if (isQuoted && escaped?.value === '"') {
      word.add('"', place, escaped.place + escaped.length - place, 'cmd-quoted');
      at += 2;
    } else {
      isQuoted = !isQuoted;
      at += 1;
    }
  }
  const last = characters[at - 1];
  if (last) word.to = last.place + last.length;
  return at;
}

/** Reads one command, up to the end of its line or to `&` or `|`. */
export function readWindowsCommand(text: string, from: number): Command {
  const { characters, end } = readCarets(text, from);
  const words: WrittenString[] = [];
  for (let at = 0; at < characters.length;) {
    if (isBlank(characters[at]?.value)) {
      at += 1;
      continue;
    }
    const word = new WrittenString(characters[at]?.place ?? 0);
    at = readWord(characters, at, word);
    words.push(word);
  }
  return { words, end };
}
