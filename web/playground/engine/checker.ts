// Analyzes the newest text in the worker once the user rests. Typing never waits for it.
import { messageOf } from '../../sdk/internal/messages.js';
import type { Analysis, AnalysisOptions } from './lint-result.js';
import { restMs } from './limits.js';
import type { LintEngine } from './lint-messages.js';

export interface CheckerEvents {
  /** Returns the newest text. */
  text: () => string;
  options: () => AnalysisOptions;
  /** Called with the result and the text that was analyzed. */
  onResult: (analysis: Analysis, analyzed: string) => void;
  onFailure: (message: string) => void;
  /** Called when an analysis starts and when the newest one ends. */
  onBusy: (isBusy: boolean) => void;
}

/** Analyses, of which only the newest counts. */
export class Checker {
  readonly #engine: LintEngine;
  readonly #events: CheckerEvents;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #newest = 0;

  constructor(engine: LintEngine, events: CheckerEvents) {
    this.#engine = engine;
    this.#events = events;
  }

  /** Whether the newest text has not been analyzed yet. */
  get isPending(): boolean {
    return this.#timer !== undefined;
  }

  /** Analyzes the text when nothing has changed for a moment. */
  soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.now(), restMs);
  }

  /** Analyzes the text at once. */
  async now(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { text, options, onResult, onFailure, onBusy } = this.#events;
    const number = (this.#newest += 1);
    const analyzed = text();
    onBusy(true);
    try {
      const analysis = await this.#engine.analyze(analyzed, options());
      if (analysis && number === this.#newest) onResult(analysis, analyzed);
    } catch (error) {
      if (number === this.#newest) onFailure(messageOf(error));
    } finally {
      if (number === this.#newest) onBusy(false);
    }
  }
}
