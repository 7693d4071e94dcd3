// Collects the repairs of a text, and makes them.
import type { Diagnostic } from '../../index.js';
import type { TextEdit, TextRepair } from './lint-result.js';

/** The repairs of a text, from its findings. */
export class RepairList {
  /** By the place of the first edit: those of different repairs do not touch. */
  readonly #repairs = new Map<number, { index: number; repair: TextRepair }>();

  get all(): TextRepair[] {
    return [...this.#repairs.values()].map(({ repair }) => repair);
  }

  /** Adds a finding to the repair with these edits. Returns the index of the repair, if there are edits. */
  add({ code, fix }: Diagnostic, edits: TextEdit[]): number | undefined {
    const [first] = edits;
    if (!first) return undefined;
    const known = this.#repairs.get(first.from);
    const { index, repair } = known ?? {
      index: this.#repairs.size,
      repair: { edits, codes: [], fixes: [] },
    };
    if (!repair.codes.includes(code)) repair.codes.push(code);
    if (fix !== undefined && !repair.fixes.includes(fix)) repair.fixes.push(fix);
    if (!known) this.#repairs.set(first.from, { index, repair });
    return index;
  }
}

/** Returns a text with these repairs. */
export function repairedText(text: string, repairs: readonly TextRepair[]): string {
  const edits = repairs.flatMap((repair) => repair.edits).sort((a, b) => a.from - b.from);
  let [result, at] = ['', 0];
  for (const edit of edits) {
    result += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + text.slice(at);
}
