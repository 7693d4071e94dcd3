// Splits a command of Windows' cmd.exe into words, with the place of each character. Two programs read it: cmd.exe
// its carets, and then the C runtime quotation marks and backslashes.
import type { Command } from './posix-words.js';
import { WrittenString, type QuoteStyle } from './written-string.js';

interface Character {
  value: string;
  place: number;
  length: number;
  style: QuoteStyle;
}

/** Returns what cmd.exe passes on: carets escape outside of quotation marks, and continue a line. */
function readCarets(text: string, from: number): { characters: Character[]; end: number } {
  const characters: Character[] = [];
  let isQuoted = false;
  let at = from;
  while (at < text.length) {
    let value = text[at] ?? '';
    let length = 1;
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

/** Reads the word at `at` as the C runtime does. */
function readWord(characters: Character[], at: number, word: WrittenString): number {
  let isQuoted = false;
  while (at < characters.length) {
    const { value = '', place = 0, length = 0, style = 'caret' } = characters[at] ?? {};
    if (!isQuoted && isBlank(value)) break;
    let slashes = 0;
    while (characters[at + slashes]?.value === '\\') slashes += 1;
    const isBeforeQuote = characters[at + slashes]?.value === '"';
    const escaped = characters[at + 1];
    if (slashes > 0 && isBeforeQuote && escaped) {
      word.add(escaped.value, place, escaped.place + escaped.length - place, style);
      at += 2;
    } else if (slashes > 0) {
      for (const one of characters.slice(at, at + slashes))
        word.add(one.value, one.place, one.length, one.style);
      at += slashes;
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
