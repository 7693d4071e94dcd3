// Highlights Jinja templates, and completes variables and their members, filters, tests, tags and functions.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { StreamLanguage, type StringStream } from '@codemirror/language';
import type { Json } from '../../index.js';
import { CodeEditor, type EditorOptions } from '../../ui/editor/code-editor.js';
import { completionAt, isCode, type Shape } from '../../ui/editor/completion.js';
import { constants, filters, functions, keywords, tags, tests } from '../engine/template-names.js';
import type { Variables } from '../engine/prompt-sources.js';

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

const jinja = StreamLanguage.define<State>({
  name: 'jinja',
  startState: () => ({ place: 'text', close: '}}', isTag: false, names: '' }),
  token,
});

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

// Returns the shape of a value. The items of a list have the shape of the first.
function shapeOf(value: Json): Shape {
  const type = typeOf(value);
  if (value === null || typeof value !== 'object') return { type };
  if (Array.isArray(value))
    return value[0] === undefined ? { type } : { type, items: shapeOf(value[0]) };
  const members = Object.entries(value).map(([name, member]) => [name, shapeOf(member)] as const);
  return { type, properties: Object.fromEntries(members) };
}

const words = (list: readonly string[], detail: string): Completion[] =>
  list.map((label) => ({ label, detail }));

const tagWords = words(tags, 'tag');
const filterWords = words(filters, 'filter');
const testWords = words(tests, 'test');
const expressionWords = [...words(functions, 'function'), ...words(keywords, 'keyword')];

// Returns the words of the language that fit in front of the cursor.
function wordsAfter(before: string): Completion[] | undefined {
  if (/\{%[-+]?\s*\w*$/.test(before)) return tagWords;
  if (/\|\s*\w*$/.test(before)) return filterWords;
  if (/\bis\s+(?:not\s+)?\w*$/.test(before)) return testWords;
  return /\.\s*\w*$/.test(before) ? [] : undefined;
}

function variablesAt(source: string, caret: number, variables: Variables): Completion[] {
  const found = completionAt(source, caret, shapeOf(variables))?.candidates ?? [];
  return found.map(({ name, detail }) => ({ label: name, detail, boost: 1 }));
}

// Returns what completes the word before the cursor; null outside of code.
function complete(context: CompletionContext, variables: Variables): CompletionResult | null {
  const before = context.state.sliceDoc(0, context.pos);
  const word = /\w*$/.exec(before)?.[0] ?? '';
  if (!isCode(before)) return null;
  const follows = word !== '' || /(?:\.|\||\{%\s|\{\{\s)$/.test(before);
  if (!context.explicit && !follows) return null;
  const fitting = wordsAfter(before);
  const names = fitting?.length ? [] : variablesAt(before, context.pos, variables);
  const options = [...names, ...(fitting ?? expressionWords)];
  if (options.length === 0) return null;
  return { from: context.pos - word.length, options, validFor: /^\w*$/ };
}

/** Returns what creates an editor for templates. It completes with the variables that `variables` returns at that moment. */
export const jinjaEditor = (variables: () => Variables) => (options: EditorOptions) =>
  new CodeEditor({
    ...options,
    extensions: [
      jinja,
      autocompletion({ override: [(context) => complete(context, variables())], icons: false }),
    ],
  });
