// Collects the repairs of a text, lays out what they insert like its neighbours, makes them, and takes them back one by
// one while the text goes on changing.
import type { Diagnostic } from '../../index.js';
import { isJson } from '../../sdk/internal/json-text.js';
import { laidOut } from './export/json-layout.js';
import type { MadeRepair, RepairWords, TextEdit, TextRepair } from './lint-result.js';

export class RepairList {
  readonly all: TextRepair[] = [];

  /** Adds a finding to the repair with these edits. Returns the index of the repair, if there are edits. */
  add(
    code: Diagnostic['code'],
    edits: TextEdit[],
    wordsFor: (codes: readonly string[]) => RepairWords,
  ): number | undefined {
    const [first] = edits;
    if (!first) return undefined;
    const index = this.#indexes.get(first.from) ?? this.all.length;
    this.#indexes.set(first.from, index);
    const known = this.all[index] ?? { edits, codes: [] };
    const codes = [...new Set([...known.codes, code])];
    this.all[index] = { ...known, codes, words: wordsFor(codes) };
    return index;
  }

  /** By the place of the first edit: those of different repairs do not touch. */
  readonly #indexes = new Map<number, number>();
}

const inOrder = (edits: readonly TextEdit[]) => edits.toSorted((a, b) => a.from - b.from);

/** Returns a text with these edits, which do not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let [result, at] = ['', 0];
  for (const edit of inOrder(edits)) {
    result += text.slice(at, edit.from) + edit.text;
    at = Math.max(at, edit.to);
  }
  return result + text.slice(at);
}

export const repairedText = (text: string, repairs: readonly TextRepair[]): string =>
  edited(
    text,
    repairs.flatMap(({ edits }) => edits),
  );

/** Returns repairs as they stand in the text that they made: each with the edits that take it back. */
export function madeRepairs(text: string, repairs: readonly TextRepair[]): MadeRepair[] {
  const all = inOrder(repairs.flatMap(({ edits }) => edits));
  const places = new Map<TextEdit, number>();
  let grown = 0;
  for (const edit of all) {
    places.set(edit, edit.from + grown);
    grown += edit.text.length - (edit.to - edit.from);
  }
  return repairs.map(({ edits, codes, words }) => ({
    ...{ codes, words },
    inverse: edits.map((edit) => {
      const from = places.get(edit) ?? edit.from;
      return { from, to: from + edit.text.length, text: text.slice(edit.from, edit.to) };
    }),
  }));
}

// Returns where an edit stands after another change of the text; undefined if that changed its own text.
function shifted(edit: TextEdit, change: TextEdit): TextEdit | undefined {
  const grown = change.text.length - (change.to - change.from);
  if (change.to <= edit.from) return { ...edit, from: edit.from + grown, to: edit.to + grown };
  return change.from >= edit.to ? edit : undefined;
}

/** Returns the repairs after further edits. One whose own text changed can no longer be taken back, and is left out. */
export function followRepairs(
  made: readonly MadeRepair[],
  edits: readonly TextEdit[],
): MadeRepair[] {
  const lastFirst = inOrder(edits).reverse();
  const follow = (one: TextEdit) =>
    lastFirst.reduce<TextEdit | undefined>((at, edit) => at && shifted(at, edit), one);
  return made.flatMap((repair) => {
    const inverse = repair.inverse.map(follow).filter((edit) => edit !== undefined);
    return inverse.length === repair.inverse.length ? [{ ...repair, inverse }] : [];
  });
}

const indentAt = (text: string, offset: number) =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';

/** Returns the indentation of one level: that of the first line that has any. */
const stepOf = (text: string) => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

// Returns a value, or a member with its name, on lines that continue at `indent`; undefined for anything else.
function written(text: string, indent: string, step: string): string | undefined {
  const [, name = '', value = ''] = /^\s*("(?:[^"\\]|\\.)*"\s*:)?(.*)$/s.exec(text) ?? [];
  if (!isJson(value)) return undefined;
  const layout = laidOut(value, { step, indent });
  return name === '' ? layout : `${name.replace(/\s*:$/, ':')} ${layout}`;
}

// A value behind the last value before it, in place of nothing or of others.
function behind(body: string, { from, to, text }: TextEdit, step: string): TextEdit | undefined {
  const end = body.slice(0, from).trimEnd().length;
  const isOnLines = /^,?\s*\n/.test(body.slice(end));
  const indent = indentAt(body, end);
  const value = written(text.slice(1), indent, step);
  if (value === undefined || !isOnLines) return undefined;
  return { from: end, to: from === to ? end : to, text: `,\n${indent}${value}` };
}

// An insertion before the value that begins there.
function before(body: string, { from, to, text }: TextEdit, step: string): TextEdit | undefined {
  const indent = indentAt(body, from);
  const isOnLines = body.slice(0, from).endsWith(`\n${indent}`);
  const value = written(text.slice(0, -1), indent, step);
  if (value === undefined || !isOnLines) return undefined;
  return { from, to, text: `${value},\n${indent}` };
}

function laidOutEdit(body: string, edit: TextEdit, step: string): TextEdit {
  const { from, to, text } = edit;
  if (text.startsWith(',') && /^,|^$/.test(body.slice(from, to)))
    return behind(body, edit, step) ?? edit;
  if (from === to && text.endsWith(',')) return before(body, edit, step) ?? edit;
  if (!body.slice(from, to).includes('\n')) return edit;
  return { ...edit, text: written(text, indentAt(body, from), step) ?? text };
}

/** Returns the same edits of a body, in which inserted values stand on lines as those around them do. */
export function laidOutEdits(body: string, edits: readonly TextEdit[]): TextEdit[] {
  if (!body.trimEnd().includes('\n')) return [...edits];
  const step = stepOf(body);
  const moved = edits.map((edit) => laidOutEdit(body, edit, step));
  // An insertion may move back to the end of the value before it, but not into another edit.
  const isApart = moved.every(({ from }, i) => i === 0 || from >= (moved[i - 1]?.to ?? 0));
  return isApart ? moved : [...edits];
}
