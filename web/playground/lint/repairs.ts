// Repairs the newest text: one finding at once, or all after a look at the difference.
import { messageOf } from '../../sdk/base/error-message.js';
import { amount } from '../dom.js';
import type { Analysis, AnalysisOptions, LintFinding, RepairHunk } from './analysis-result.js';
import { applyChanges } from './hunks.js';
import type { LintEngine } from './messages.js';
import { RepairPanel } from './repair-panel.js';

/** What repairs need of the view. */
export interface RepairsOptions {
  engine: LintEngine;
  /** Returns the analysis of the newest text; undefined while there is none, or if it must not be changed. */
  analysis: () => Analysis | undefined;
  options: () => AnalysisOptions;
  /** Replaces the text. `done` says what was done. */
  onChange: (text: string, done: string) => void;
  /** Called when the difference closes by a key or a button. */
  onClosed: () => void;
  /** Shows why nothing is repaired. */
  onFailure: (message: string) => void;
}

/** The repairs of a view, and their difference. */
export class Repairs {
  readonly #panel = new RepairPanel({
    onApply: (hunks) => this.#apply(hunks),
    onCancel: () => this.#close(),
  });
  readonly element = this.#panel.element;
  readonly #view: RepairsOptions;
  /** The text of the difference. */
  #text = '';

  constructor(view: RepairsOptions) {
    this.#view = view;
  }

  /** Shows what a repair of all findings changes. */
  async showAll(): Promise<void> {
    const result = await this.#repair();
    if (!result) return;
    const { text, repaired } = result;
    if (repaired.hunks.length === 0)
      return this.#view.onFailure('Nothing here can be repaired without a decision.');
    this.#text = text;
    this.#panel.show(text, repaired);
  }

  /** Repairs one finding. */
  async one({ code, path, request }: LintFinding): Promise<void> {
    const result = await this.#repair({ code, path, request });
    if (!result) return;
    const { text, repaired } = result;
    if (repaired.hunks.length === 0)
      return this.#view.onFailure(`${code} cannot be repaired without a decision.`);
    this.#view.onChange(applyChanges(text, repaired.hunks), `Repaired ${code}`);
  }

  /** Closes the difference, because the text is another one. */
  hide(): void {
    this.#panel.hide();
  }

  async #repair(only?: Pick<LintFinding, 'code' | 'path' | 'request'>) {
    const { engine, analysis, options, onFailure } = this.#view;
    const text = analysis()?.text;
    if (text === undefined)
      return void onFailure('The text has just changed. Try again in a moment.');
    try {
      const repaired = await engine.repair(text, { ...options(), ...(only ? { only } : {}) });
      // The user may have typed in the meantime.
      return repaired && analysis()?.text === text ? { text, repaired } : undefined;
    } catch (error) {
      return void onFailure(`The text was not repaired: ${messageOf(error)}`);
    }
  }

  #apply(hunks: readonly RepairHunk[]): void {
    this.#close();
    const done = `Applied ${amount(hunks.length, 'change')}`;
    this.#view.onChange(applyChanges(this.#text, hunks), done);
  }

  #close(): void {
    this.#panel.hide();
    this.#view.onClosed();
  }
}
