// Highlights Jinja templates: text, comments, raw blocks, and the words of the code.
import { StreamLanguage, type StringStream } from '@codemirror/language';
import { constants, keywords, tags } from './jinja-words.js';

interface State {
  /** Where the reader is. */
  place: 'text' | 'comment' | 'raw' | 'code';
  /** What ends the code. */
  close: '}}' | '%}';
  /** Whether the next word names the tag. */
  isTag: boolean;
  /** Whether the next word names a member, a filter or a test. */
  names: '' | 'member' | 'filter' | 'test';
}

const keywordSet = new Set(keywords);
const tagSet = new Set([...tags, 'extends', 'include', 'import', 'from']);
const constantSet = new Set(constants);

// Consumes text until the next piece of code; returns true if code starts here.
function skipText(stream: StringStream): boolean {
  if (stream.match(/^\{[{%#]/, false)) return true;
  while (!stream.eol() && !stream.match(/^\{[{%#]/, false)) stream.next();
  return false;
}

function skipUntil(stream: StringStream, end: RegExp): boolean {
  while (!stream.eol()) {
    if (stream.match(end)) return true;
    stream.next();
  }
  return false;
}

function open(stream: StringStream, state: State): string {
  if (stream.match('{#')) {
    state.place = 'comment';
    return 'comment';
  }
  state.place = stream.match(/^\{%[-+]?\s*raw\s*[-+]?%\}/) ? 'raw' : 'code';
  if (state.place === 'raw') return 'keyword';
  state.close = stream.match(/^\{\{[-+]?/) ? '}}' : '%}';
  if (state.close === '%}') stream.match(/^\{%[-+]?/);
  state.isTag = state.close === '%}';
  state.names = '';
  return 'punctuation';
}

function wordStyle(word: string, state: State): string {
  const { isTag, names } = state;
  state.isTag = false;
  state.names = word === 'is' || (names === 'test' && word === 'not') ? 'test' : '';
  if (isTag) return tagSet.has(word) ? 'keyword' : 'invalid';
  if (names === 'member') return 'propertyName';
  if (names === 'filter' || (names === 'test' && word !== 'not')) return 'operator';
  if (constantSet.has(word)) return 'atom';
  return keywordSet.has(word) ? 'keyword' : 'variableName';
}

function readCode(stream: StringStream, state: State): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^[-+]?(?:\}\}|%\})/)) {
    state.place = 'text';
    return 'punctuation';
  }
  if (stream.match(/^(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/)) return 'string';
  if (stream.match(/^\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?/)) return 'number';
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (Array.isArray(word)) return wordStyle(word[0] ?? '', state);
  const sign = stream.next();
  state.names = sign === '.' ? 'member' : sign === '|' ? 'filter' : '';
  return 'punctuation';
}

function token(stream: StringStream, state: State): string | null {
  if (state.place === 'comment') {
    if (skipUntil(stream, /^#\}/)) state.place = 'text';
    return 'comment';
  }
  if (state.place === 'raw') {
    if (skipUntil(stream, /^\{%[-+]?\s*endraw\s*[-+]?%\}/)) state.place = 'text';
    return null;
  }
  if (state.place === 'code') return readCode(stream, state);
  return skipText(stream) ? open(stream, state) : null;
}

/** The language of templates. */
export const jinja = StreamLanguage.define<State>({
  name: 'jinja',
  startState: () => ({ place: 'text', close: '}}', isTag: false, names: '' }),
  token,
});
