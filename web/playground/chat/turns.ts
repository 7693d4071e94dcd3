// Reads the saved turns of a thread, plans changes of them, and asks the core what they would break.
import type { Manifest, Part, Wire, Diagnostic, Thread } from '../../index.js';
import type { Checker } from '../../check/index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { newFindings } from './findings.js';

/** A Content, as far as the chat shows it. */
export interface ShownContent {
  role?: string;
  parts: Part[];
}

export interface SavedTurn {
  index: number;
  content: ShownContent;
  /** The API in whose form it came: a Content, or steps. A message of the user has the form of every request. */
  form: Wire;
  /** When it was created; identifies its numbers in the document. */
  at?: string;
  model?: string;
  /** That of the request which it answers. */
  manifest?: Manifest;
}

interface SavedLine {
  meta?: { at?: string; model?: string; manifest?: Manifest; steps?: unknown[] };
  content?: { role?: string; parts?: Part[] };
}

/** Returns the turns of the text that `Thread.save` wrote. `from` is the index of the first. */
export function savedTurns(saved: string, from = 0): SavedTurn[] {
  const lines = saved.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    const { meta = {}, content = {} }: SavedLine = JSON.parse(line);
    const { role, parts = [] } = content;
    const { at, model, manifest, steps } = meta;
    return {
      index: from + index,
      content: { ...(role && { role }), parts },
      form: steps ? 'interactions' : 'generateContent',
      ...(at && { at }),
      ...(model && { model }),
      ...(manifest && { manifest }),
    };
  });
}

/** Returns the text that a Content shows, without thoughts. */
export function textOfContent({ parts }: ShownContent): string {
  return parts.map(({ text = '', thought }) => (thought ? '' : text)).join('');
}

/** Returns the indexes of the parts whose text can be edited. */
export function textParts({ parts }: ShownContent): number[] {
  return parts.flatMap(({ text, thought }, index) =>
    text === undefined || text === '' || thought ? [] : [index],
  );
}

/** Returns the texts of a turn that can be edited; empty for calls, results and images alone. */
export function editableTexts(content: ShownContent): string[] {
  return textParts(content).map((index) => content.parts[index]?.text ?? '');
}

/** Returns the start of a text, on one line. */
export function excerptOf(text: string, length = 60): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** The turns `[from, to)` that are deleted together. */
export interface Deletion {
  from: number;
  to: number;
  /** Why more than one turn is deleted: what is wrong without it. */
  reason?: Diagnostic;
}

const errorsOf = (thread: Thread): Diagnostic[] =>
  thread.report().diagnostics.filter(({ severity }) => severity === 'error');

/** Returns the errors that a thread has with `contents` in place of the turns `[from, to)`, and had not before. */
export function errorsWith(
  thread: Thread,
  from: number,
  to: number,
  contents: readonly string[],
): Diagnostic[] {
  using changed = thread.rewrite([{ from, to, contents }]);
  // Indexes in paths change with a deletion, so errors are compared by their code and message.
  const plain = (one: Diagnostic): Diagnostic => ({ ...one, path: one.message });
  return newFindings(errorsOf(changed).map(plain), errorsOf(thread).map(plain));
}

/** Returns the smallest range of turns around `index` without which the history has no new errors. */
export function planDeletion(thread: Thread, index: number): Deletion {
  const [reason] = errorsWith(thread, index, index + 1, []);
  if (!reason) return { from: index, to: index + 1 };
  for (let size = 2; size < thread.length; size++) {
    // What follows a turn depends on it more often than what is before it.
    for (let from = index; from > index - size && from >= 0; from--) {
      const to = from + size;
      if (to > thread.length) continue;
      if (errorsWith(thread, from, to, []).length === 0) return { from, to, reason };
    }
  }
  return { from: 0, to: thread.length, reason };
}

/** Returns the JSON of a Content with other texts. All other bytes are unchanged. */
export function withTexts(
  checker: Checker,
  bytes: Uint8Array,
  content: ShownContent,
  texts: readonly string[],
): string {
  let json = decodeUtf8(bytes);
  const pointers = textParts(content).map((part) => `/parts/${part}/text`);
  const places = checker.locate(json, pointers, { positions: 'utf16' });
  for (const [index, place] of [...places.entries()].reverse()) {
    json = json.slice(0, place.start) + JSON.stringify(texts[index] ?? '') + json.slice(place.end);
  }
  return json;
}
