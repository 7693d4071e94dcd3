// Finds the changes from one JSON text to another, such that each can be made without the others.
import { diffArrays } from 'diff';
import { isJson } from '../../sdk/base/is-json.js';
import { parseLenient } from '../../sdk/base/lenient-json.js';

/** A change: `[from, to)` of the first text becomes `after`. */
export interface Change {
  from: number;
  to: number;
  after: string;
}

// A string, a number or a word, a single sign, or white space.
const token = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[\w.+-]+|\s+|[^]/g;

const tokensOf = (text: string): string[] => text.match(token) ?? [];

/** Splits a text after each object or array that closes at depth two: the Contents, the tools. */
function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: one, index } of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{}]/g)) {
    if (one === '{' || one === '[') depth += 1;
    else if (one === '}' || one === ']') depth -= 1;
    else continue;
    if (depth !== 2 || one === '{' || one === '[') continue;
    elements.push(text.slice(start, index + 1));
    start = index + 1;
  }
  elements.push(text.slice(start));
  return elements;
}

// More edits than these are shown as one change.
const maxEdits = 2000;

/** A list of pieces that is added before the piece at `index`, or removed from there. */
interface Edit {
  index: number;
  removed: string[];
  added: string[];
}

function editsBetween(before: string[], after: string[]): Edit[] | undefined {
  const parts = diffArrays(before, after, { maxEditLength: maxEdits });
  if (!parts) return undefined;
  const edits: Edit[] = [];
  let index = 0;
  let open: Edit | undefined;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      index += value.length;
      open = undefined;
      continue;
    }
    if (!open) edits.push((open = { index, removed: [], added: [] }));
    if (added) open.added.push(...value);
    else {
      open.removed.push(...value);
      index += value.length;
    }
  }
  return edits;
}

// Returns whether all brackets that are opened in these tokens are closed in them.
function isBalanced(tokens: readonly string[]): boolean {
  let depth = 0;
  for (const one of tokens) {
    if (one === '{' || one === '[') depth += 1;
    else if ((one === '}' || one === ']') && (depth -= 1) < 0) return false;
  }
  return depth === 0;
}

const maxShift = 40;

/**
 * Moves an edit to an earlier place at which it does the same, so that it adds or removes a whole value: of
 * `[{"a":1},{"b":1}]`, `{"b":1},` is clearer than `"b":1},{`.
 */
function shifted(before: readonly string[], edit: Edit, least: number): Edit {
  const { removed, added } = edit;
  if (removed.length > 0 && added.length > 0) return edit;
  const isAdded = added.length > 0;
  const moved = isAdded ? [...added] : [...removed];
  let index = edit.index;
  const tries = Math.max(least, edit.index - maxShift);
  while (!isBalanced(moved) && index > tries && before[index - 1] === moved.at(-1)) {
    moved.unshift(moved.pop() ?? '');
    index -= 1;
  }
  return { index, removed: isAdded ? [] : moved, added: isAdded ? moved : [] };
}

/** Returns the changes between two lists of pieces, which begin at `offset` of the first text. */
function compare(before: string[], after: string[], offset: number): Change[] | undefined {
  const edits = editsBetween(before, after);
  if (!edits) return undefined;
  let [index, at] = [0, offset];
  return edits.map((given) => {
    const edit = shifted(before, given, index);
    for (; index < edit.index; index++) at += before[index]?.length ?? 0;
    const from = at;
    for (const text of edit.removed) at += text.length;
    index += edit.removed.length;
    return { from, to: at, after: edit.added.join('') };
  });
}

/** Splits a change into those of its tokens. */
function refine(before: string, { from, to, after }: Change): Change[] {
  const whole = { from, to, after };
  const old = before.slice(from, to);
  const [first, second] = [elementsOf(`[[${old}`), elementsOf(`[[${after}`)];
  // Elements that changed one by one are compared one by one.
  if (first.length === second.length && first.length > 1) {
    const pairs = first.map((text, i) => {
      const skipped = i === 0 ? 2 : 0;
      return { old: text.slice(skipped), now: (second[i] ?? '').slice(skipped) };
    });
    let at = from;
    return pairs.flatMap(({ old: text, now }) => {
      const start = at;
      at += text.length;
      return compare(tokensOf(text), tokensOf(now), start) ?? [{ from: start, to: at, after: now }];
    });
  }
  return compare(tokensOf(old), tokensOf(after), from) ?? [whole];
}

function depthOf(text: string): number {
  let depth = 0;
  for (const one of tokensOf(text)) {
    if (one === '{' || one === '[') depth += 1;
    else if (one === '}' || one === ']') depth -= 1;
  }
  return depth;
}

const join = (before: string, first: Change, second: Change): Change => ({
  from: first.from,
  to: second.to,
  after: first.after + before.slice(first.to, second.from) + second.after,
});

/** Joins changes that open brackets with those that close them. */
function balanced(before: string, changes: readonly Change[]): Change[] {
  const joined: Change[] = [];
  let depth = 0;
  for (const change of changes) {
    const last = joined.at(-1);
    if (depth !== 0 && last) joined[joined.length - 1] = join(before, last, change);
    else joined.push(change);
    depth += depthOf(change.after) - depthOf(before.slice(change.from, change.to));
  }
  return joined;
}

/** Returns the text with these changes, which are in its order. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to, after } of changes) {
    pieces.push(text.slice(copied, from), after);
    copied = to;
  }
  return pieces.join('') + text.slice(copied);
}

// How many characters are parsed at most to test changes one by one.
const maxParsed = 40_000_000;

/** Joins a change that alone would not leave valid JSON with the next one. */
function independent(before: string, changes: readonly Change[]): Change[] {
  if (changes.length * before.length > maxParsed) return [...changes];
  const joined: Change[] = [];
  let pending: Change | undefined;
  for (const change of changes) {
    const next: Change = pending ? join(before, pending, change) : change;
    pending = undefined;
    if (isJson(applyChanges(before, [next]), parseLenient)) joined.push(next);
    else pending = next;
  }
  if (!pending) return joined;
  const last = joined.pop();
  return [...joined, last ? join(before, last, pending) : pending];
}

/** Returns the changes from one JSON text to another, in order. They do not overlap. */
export function changesBetween(before: string, after: string): Change[] {
  if (before === after) return [];
  const elements = compare(elementsOf(before), elementsOf(after), 0);
  const rough = elements ?? [{ from: 0, to: before.length, after }];
  const fine = rough.flatMap((change) => refine(before, change));
  return independent(before, balanced(before, fine));
}
