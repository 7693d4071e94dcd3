// Highlights Jinja templates, and completes variables and their members, filters, tests, tags and functions.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { StreamLanguage, type StringStream } from '@codemirror/language';
import type { Json } from '../../index.js';
import { isObject } from '../../sdk/internal/json.js';
import { CodeEditor, type EditorOptions } from '../../ui/editor/code-editor.js';
import { constants, filters, functions, keywords, tags, tests } from '../engine/template-names.js';
import type { Variables } from '../engine/chat-settings.js';

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

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
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

/** Whether the text ends inside {{ … }} or {% … %}, and not in a string. */
function isCode(before: string): boolean {
  const opened = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  const closed = Math.max(before.lastIndexOf('}}'), before.lastIndexOf('%}'));
  if (opened <= closed) return false;
  const quotes = before.slice(opened).match(/["']/g)?.length ?? 0;
  return quotes % 2 === 0;
}

const valueAt = (path: readonly string[], variables: Variables): Json | undefined =>
  path.reduce<Json | undefined>(
    (value, name) => (isObject(value) ? value[name] : undefined),
    variables,
  );

// Returns the variables, or the members of the value, whose name is typed. A loop's variable is the first item.
function variablesAt(before: string, variables: Variables): Completion[] {
  const known = { ...variables };
  for (const [, name = '', path = ''] of before.matchAll(/\{%-?\s*for\s+(\w+)\s+in\s+([\w.]+)/g)) {
    const items = valueAt(path.split('.'), known);
    if (Array.isArray(items) && items[0] !== undefined) known[name] = items[0];
  }
  const path = (/[\w.]*$/.exec(before)?.[0] ?? '').split('.').slice(0, -1);
  const value = valueAt(path, known);
  if (!isObject(value)) return [];
  return Object.entries(value).map(([label, one]) => ({ label, detail: typeOf(one), boost: 1 }));
}

// Returns what completes the word before the cursor; null outside of code.
function complete(context: CompletionContext, variables: Variables): CompletionResult | null {
  const before = context.state.sliceDoc(0, context.pos);
  const word = /\w*$/.exec(before)?.[0] ?? '';
  if (!isCode(before)) return null;
  const follows = word !== '' || /(?:\.|\||\{%\s|\{\{\s)$/.test(before);
  if (!context.explicit && !follows) return null;
  const fitting = wordsAfter(before);
  const names = fitting?.length ? [] : variablesAt(before, variables);
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
