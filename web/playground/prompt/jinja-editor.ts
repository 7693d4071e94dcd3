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
  /** What ends a comment, raw text or code; undefined in text. */
  end?: RegExp | undefined;
  /** The color of a comment or of raw text; undefined for code. */
  style?: 'comment' | null | undefined;
  /** What stands before the next word of code: a sign or a word. */
  before: string;
}

const keywordSet = new Set(keywords);
const tagSet = new Set([...tags, 'extends', 'include', 'import', 'from']);
const constantSet = new Set(constants);

function wordStyle(word: string, before: string): string {
  if (before === '{%') return tagSet.has(word) ? 'keyword' : 'invalid';
  if (before === '.') return 'propertyName';
  if (before === '|' || before === 'is') return 'operator';
  if (constantSet.has(word)) return 'atom';
  return keywordSet.has(word) ? 'keyword' : 'variableName';
}

// Text until the next code, or what opens a comment, raw text or code.
function readText(stream: StringStream, state: State): string | null {
  if (stream.match('{#')) Object.assign(state, { end: /^#\}/, style: 'comment' });
  else if (stream.match(/^\{%[-+]?\s*raw\s*[-+]?%\}/))
    Object.assign(state, { end: /^\{%[-+]?\s*endraw\s*[-+]?%\}/, style: null });
  else if (stream.match(/^\{[{%][-+]?/))
    Object.assign(state, {
      end: /^[-+]?[}%]\}/,
      style: undefined,
      before: stream.current().slice(0, 2),
    });
  else {
    stream.next();
    stream.eatWhile(/[^{]/);
    return null;
  }
  return state.style === 'comment' ? 'comment' : 'punctuation';
}

function readCode(stream: StringStream, state: State): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/)) return 'string';
  if (stream.match(/^\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?/)) return 'number';
  const isWord = stream.match(/^[A-Za-z_]\w*/);
  if (!isWord) stream.next();
  const [word, { before }] = [stream.current(), state];
  // `is not` is followed by a test, as `is`.
  if (before !== 'is' || word !== 'not') state.before = word;
  return isWord ? wordStyle(word, before) : 'punctuation';
}

function token(stream: StringStream, state: State): string | null {
  const { end, style } = state;
  if (!end) return readText(stream, state);
  if (stream.match(end)) {
    state.end = undefined;
    return style === 'comment' ? 'comment' : 'punctuation';
  }
  if (style === undefined) return readCode(stream, state);
  while (!stream.eol() && !stream.match(end, false)) stream.next();
  return style;
}

const jinja = StreamLanguage.define<State>({
  name: 'jinja',
  startState: () => ({ before: '' }),
  token,
});

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

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
    extensions: () => [
      jinja,
      autocompletion({ override: [(context) => complete(context, variables())], icons: false }),
    ],
  });
