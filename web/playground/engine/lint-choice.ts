// Remembers what the user chose in Lint: it is no part of the document, and the exported request is the chosen one.
import type { AnalysisOptions } from './lint-result.js';

/** The choice for the open text. */
export class LintChoice {
  /** The index of the request; undefined for the first with an error. */
  request: number | undefined;
  /** The model and the service that replace those of every request. */
  override: AnalysisOptions['override'];

  /** The choice as options of an analysis. */
  get options(): Pick<AnalysisOptions, 'request' | 'override'> {
    const { request, override } = this;
    return {
      ...(request === undefined ? {} : { request }),
      ...(override === undefined ? {} : { override }),
    };
  }
}
