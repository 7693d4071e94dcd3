// Completes names of variables and their members, filters, tests, tags and functions in a template.
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { Json } from '../../index.js';
import { completionAt, isCode, type Shape } from '../../ui/editor/completion.js';
import { filters, functions, keywords, tags, tests } from './jinja-words.js';
import type { Variables } from '../engine/prompt-sources.js';

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

/** Returns what completes the word before the cursor; null outside of code. */
export function complete(
  context: CompletionContext,
  variables: Variables,
): CompletionResult | null {
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

/** Completes with the variables that `variables` returns at that moment. */
export const jinjaCompletion = (variables: () => Variables): Extension =>
  autocompletion({ override: [(context) => complete(context, variables())], icons: false });
