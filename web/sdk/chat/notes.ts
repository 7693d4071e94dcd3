// Keeps small JSON values with a conversation, as lines of its store between the turns: src/thread/saved_form.h.
import type { PluginNotes } from './plugin.js';

const start = '{"strata":1,"kind":"note","name":';

const lineOf = (name: string, json: string): string =>
  `${start}${JSON.stringify(name)},"value":${json}}`;

/** Returns whether a stored line is a note. */
export const isNote = (line: string): boolean => line.startsWith(start);

/** The notes of one conversation. A later line replaces an earlier one of the same name. */
export class ConversationNotes implements PluginNotes {
  readonly isStored: boolean;
  readonly #values = new Map<string, string>();
  readonly #changed = new Set<string>();

  constructor(isStored: boolean) {
    this.isStored = isStored;
  }

  /** Takes the notes among stored lines. A damaged one is left out. */
  load(lines: readonly string[]): void {
    for (const line of lines.filter(isNote)) {
      try {
        const { name, value } = JSON.parse(line) as { name: string; value: unknown };
        if (value !== undefined) this.#values.set(name, JSON.stringify(value));
      } catch {
        // What a note says can be found out again.
      }
    }
  }

  get(name: string): unknown {
    const json = this.#values.get(name);
    return json === undefined ? undefined : JSON.parse(json);
  }

  set(name: string, value: unknown): void {
    const json = JSON.stringify(value);
    if (this.#values.get(name) === json) return;
    this.#values.set(name, json);
    this.#changed.add(name);
  }

  /** The lines of the notes that changed since `settle`. */
  get changedLines(): string[] {
    return [...this.#changed].map((name) => lineOf(name, this.#values.get(name) ?? 'null'));
  }

  /** The lines of all notes. */
  get allLines(): string[] {
    return [...this.#values].map(([name, json]) => lineOf(name, json));
  }

  /** Takes note that these lines are stored. */
  settle(lines: readonly string[]): void {
    for (const [name, json] of this.#values)
      if (lines.includes(lineOf(name, json))) this.#changed.delete(name);
  }
}
