// Splits a command of a POSIX shell into words, with the place of each character: quotes, `$'…'`, escapes,
// here-documents and redirections. What the shell computes, such as $(…) and variables, stays as it is written.
import { WrittenString } from './written-string.js';

/** A command: its words, and the here-documents and files that its redirections name. */
export interface Command {
  words: WrittenString[];
  /** The here-document that the command reads. */
  input?: WrittenString;
  /** The file to which it writes. */
  output?: string;
  /** The offset after the command, and after its here-documents. */
  end: number;
}

const escapes: { [letter: string]: string } = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  E: '\x1b',
};

// \x41, \u00e9, \U0001f600, \101, or a letter.
const ansiEscape =
  /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([^]))/y;

function readAnsiC(text: string, at: number, word: WrittenString): number {
  let start = at;
  const flush = () => word.add(text.slice(start, at), start, at - start, 'ansi-c');
  while (at < text.length && text[at] !== "'") {
    if (text[at] !== '\\') {
      at += 1;
      continue;
    }
    flush();
    ansiEscape.lastIndex = at;
    const found = ansiEscape.exec(text);
    if (!found) break;
    const [all, x, u, long, octal, letter = ''] = found;
    const code = Number.parseInt(x ?? u ?? long ?? octal ?? '', octal === undefined ? 16 : 8);
    const isCode = Number.isInteger(code) && code <= 0x10ffff;
    const value = isCode ? String.fromCodePoint(code) : (escapes[letter] ?? letter);
    word.add(value, at, all.length, 'ansi-c');
    at += all.length;
    start = at;
  }
  flush();
  return at + 1;
}

const variable = /\$(?:\w+|\{\w[^{}\n"'$]*\})/y;

// Returns the end of the command in $(…) or in backticks, or `limit`. Parentheses and quotes in it may nest.
function commandEnd(text: string, from: number, limit: number): number {
  const closers: string[] = [];
  for (let at = from; at < limit; at += 1) {
    const character = text[at] ?? '';
    const closer = closers.at(-1);
    if (character === '\\' && closer !== "'") at += 1;
    else if (character === closer) {
      closers.pop();
      if (closers.length === 0) return at + 1;
    } else if (closer === "'") continue;
    else if (character === '(' && (closer !== '"' || text[at - 1] === '$')) closers.push(')');
    else if (character === '"' || character === '`' || (character === "'" && closer !== '"'))
      closers.push(character);
  }
  return limit;
}

/** Returns the end of what the shell computes at `at`; `at` itself if that is text. */
function computedEnd(text: string, at: number, limit: number): number {
  // A backtick at the end of a line continues a command of PowerShell.
  if (text[at] === '`') return /[\r\n]/.test(text[at + 1] ?? '') ? at : commandEnd(text, at, limit);
  if (text[at] !== '$') return at;
  if (text[at + 1] === '(') return commandEnd(text, at + 1, limit);
  variable.lastIndex = at;
  return Math.min(at + (variable.exec(text)?.[0].length ?? 0), limit);
}

function readDouble(text: string, at: number, word: WrittenString): number {
  let start = at;
  const flush = () => word.add(text.slice(start, at), start, at - start, 'double');
  while (at < text.length && text[at] !== '"') {
    const next = text[at + 1] ?? '';
    const end = computedEnd(text, at, text.length);
    if (end > at) {
      flush();
      word.addComputed(text.slice(at, end), at, end - at, 'double');
      at = end;
      start = at;
      continue;
    }
    if (text[at] !== '\\' || !'\\"$`\n!'.includes(next) || next === '') {
      at += 1;
      continue;
    }
    flush();
    word.add(next === '\n' ? '' : next, at, 2, 'double');
    at += 2;
    start = at;
  }
  flush();
  return at + 1;
}

function readSingle(text: string, at: number, word: WrittenString): number {
  for (;;) {
    const quote = text.indexOf("'", at);
    const end = quote < 0 ? text.length : quote;
    word.add(text.slice(at, end), at, end - at, 'single');
    // '\'' is one escape sequence, so that a change of it stays inside the quotes.
    if (!text.startsWith(`'\\''`, end)) return end + 1;
    word.add("'", end, 4, 'single');
    at = end + 4;
  }
}

const endsWord = (character: string) => /[\s;&|<>()]/.test(character);

/** Reads the word at `at`. Returns an empty one if there is none. */
function readWord(text: string, from: number): WrittenString {
  const word = new WrittenString(from);
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '\\') {
      const next = text[at + 1] ?? '';
      const isContinuation = next === '\n' || text.startsWith('\r\n', at + 1);
      if (isContinuation) break;
      word.add(next, at, 2, 'plain');
      at += 2;
    } else if (character === "'") at = readSingle(text, at + 1, word);
    else if (character === '"') at = readDouble(text, at + 1, word);
    else if (text.startsWith("$'", at)) at = readAnsiC(text, at + 2, word);
    else if (text.startsWith('$"', at)) at = readDouble(text, at + 2, word);
    else if (endsWord(character)) break;
    else {
      const end = computedEnd(text, at, text.length);
      if (end > at) word.addComputed(text.slice(at, end), at, end - at, 'plain');
      else word.add(character, at, 1, 'plain');
      at = Math.max(end, at + 1);
    }
  }
  word.to = Math.min(at, text.length);
  return word;
}

interface HereDocument {
  delimiter: string;
  isVerbatim: boolean;
  dropsTabs: boolean;
}

/** Returns the end of the lines of a here-document, or of the text if its delimiter is missing. */
function documentEnd(text: string, from: number, { delimiter, dropsTabs }: HereDocument): number {
  for (let at = from; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, next).trimEnd();
    if ((dropsTabs ? line.replace(/^\t+/, '') : line) === delimiter) return at;
    at = next;
  }
  return text.length;
}

/** Reads the here-document that begins at the line at `from`. */
function readDocument(text: string, from: number, document: HereDocument): WrittenString {
  const { isVerbatim, dropsTabs } = document;
  const string = new WrittenString(from);
  const style = isVerbatim ? 'verbatim' : 'document';
  const end = documentEnd(text, from, document);
  let isText = isVerbatim;
  let at = from;
  let start = from;
  const flush = () => string.add(text.slice(start, at), start, at - start, style);
  while (at < end) {
    const isTab = dropsTabs && text[at] === '\t' && (at === from || text[at - 1] === '\n');
    const isEscape = !isVerbatim && text[at] === '\\' && /[\\$`]/.test(text[at + 1] ?? '');
    const computed = isText || isEscape ? at : computedEnd(text, at, end);
    // A command without an end is text, and so is what follows.
    isText ||= computed === end;
    if (!isTab && !isEscape && (isText || computed === at)) {
      at += 1;
      continue;
    }
    flush();
    if (isTab) while (text[at] === '\t') at += 1;
    else if (isEscape) string.add(text[at + 1] ?? '', at, 2, style);
    else string.addComputed(text.slice(at, computed), at, computed - at, style);
    if (!isTab) at = isEscape ? at + 2 : computed;
    start = at;
  }
  flush();
  string.to = end;
  return string;
}

function skipBlanks(text: string, at: number): number {
  for (;;) {
    const character = text[at] ?? '';
    if (character === ' ' || character === '\t' || character === '\r') at += 1;
    else if (text.startsWith('\\\n', at)) at += 2;
    else if (text.startsWith('\\\r\n', at)) at += 3;
    else return at;
  }
}

/** Reads one command, up to the end of its line or to `;`, `&` or `|`. */
export function readCommand(text: string, from: number): Command {
  const command: Command = { words: [], end: from };
  let document: HereDocument | undefined;
  let at = from;
  for (;;) {
    at = skipBlanks(text, at);
    const character = text[at] ?? '\n';
    if (/[\n;&|()]/.test(character)) break;
    if (character !== '<' && character !== '>') {
      const word = readWord(text, at);
      at = Math.max(word.to, at + 1);
      command.words.push(word);
      continue;
    }
    const [operator = ''] = /^(?:<<-?|<|>>?)&?/.exec(text.slice(at, at + 4)) ?? [];
    const target = readWord(text, skipBlanks(text, at + operator.length));
    if (operator.startsWith('<<')) {
      const isVerbatim = /['"\\]/.test(text.slice(target.from, target.to));
      document = { delimiter: target.value, isVerbatim, dropsTabs: operator === '<<-' };
    } else if (operator.startsWith('>') && !/^\d$/.test(command.words.at(-1)?.value ?? '')) {
      command.output = target.value;
    }
    at = Math.max(target.to, at + operator.length);
  }
  if (document) {
    const newline = text.indexOf('\n', at);
    command.input = readDocument(text, newline < 0 ? text.length : newline + 1, document);
    const last = text.indexOf('\n', command.input.to);
    at = last < 0 ? text.length : last;
  }
  command.end = at;
  return command;
}
