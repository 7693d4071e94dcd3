// Lays inserted JSON out like its neighbours, in texts whose values stand on lines of their own.
import { isJson } from '../../sdk/internal/json-text.js';
import { laidOut } from './export/json-layout.js';
import type { TextEdit } from './lint-result.js';

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
