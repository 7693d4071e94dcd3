// Reads the saved form of a thread, one line per turn, for showing its turns.
import type { Manifest, Part, Wire } from '../../index.js';

/** A Content, as far as the chat shows it. */
export interface ShownContent {
  role?: string;
  parts: Part[];
}

/** One turn of a saved thread. */
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
