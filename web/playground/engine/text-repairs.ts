// Collects the repairs of a text, makes them, and takes them back one by one while the text goes on changing.
import type { Diagnostic } from '../../index.js';
import type { MadeRepair, RepairWords, TextEdit, TextRepair } from './lint-result.js';

/** The repairs of a text, from its findings. */
export class RepairList {
  /** By the place of the first edit: those of different repairs do not touch. */
  readonly #repairs = new Map<number, { index: number; repair: TextRepair }>();

  get all(): TextRepair[] {
    return [...this.#repairs.values()].map(({ repair }) => repair);
  }

  /** Adds a finding to the repair with these edits. Returns the index of the repair, if there are edits. */
  add(
    code: Diagnostic['code'],
    edits: TextEdit[],
    wordsFor: (codes: readonly string[]) => RepairWords,
  ): number | undefined {
    const [first] = edits;
    if (!first) return undefined;
    const known = this.#repairs.get(first.from);
    const { index, repair } = known ?? {
      index: this.#repairs.size,
      repair: { edits, codes: [], words: wordsFor([code]) },
    };
    if (!repair.codes.includes(code)) repair.codes.push(code);
    repair.words = wordsFor(repair.codes);
    if (!known) this.#repairs.set(first.from, { index, repair });
    return index;
  }
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

/** Returns a text with these repairs. */
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
