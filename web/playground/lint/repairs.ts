// Repairs the newest text: one finding at once, or all after a look at the difference.
import { amount } from '../../ui/dom.js';
import type { Analysis, LintFinding, TextRepair } from '../engine/lint-result.js';
import { RepairPanel } from './repair-panel.js';
import { repairedText } from '../engine/text-repairs.js';

/** What repairs need of the view. */
export interface RepairsOptions {
  /** Returns the analysis of the newest text; undefined while there is none, or if it must not be changed. */
  analysis: () => Analysis | undefined;
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
    onApply: (repairs) => {
      this.#close();
      this.#make(repairs, `Made ${amount(repairs.length, 'repair')}`);
    },
    onCancel: () => this.#close(),
  });
  readonly element = this.#panel.element;
  readonly #view: RepairsOptions;

  constructor(view: RepairsOptions) {
    this.#view = view;
  }

  /** Shows what a repair of all findings changes. */
  showAll(): void {
    const analysis = this.#view.analysis();
    if (analysis) this.#panel.show(analysis);
    else this.#sayLater();
  }

  /** Repairs one finding, and what can only be repaired with it. */
  one({ code, repair }: LintFinding): void {
    const repairs = this.#view.analysis()?.repairs.filter((_, index) => index === repair);
    if (repairs) this.#make(repairs, `Repaired ${code}`);
    else this.#sayLater();
  }

  /** Closes the difference, because the text is another one. */
  hide(): void {
    this.#panel.hide();
  }

  #make(repairs: readonly TextRepair[], done: string): void {
    const text = this.#view.analysis()?.text;
    if (text === undefined) this.#sayLater();
    else this.#view.onChange(repairedText(text, repairs), done);
  }

  #sayLater(): void {
    this.#view.onFailure('The text has just changed. Try again in a moment.');
  }

  #close(): void {
    this.#panel.hide();
    this.#view.onClosed();
  }
}
