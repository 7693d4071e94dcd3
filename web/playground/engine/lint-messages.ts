// Defines the messages between the page and the worker that lints.
import type { Analysis, AnalysisOptions } from './lint-result.js';

/** What the page asks the worker. */
export interface LintCall {
  id: number;
  text: string;
  options: AnalysisOptions;
}

/** What the worker answers. After `isFatal`, the worker cannot be used any more. */
export type LintReply =
  | { id: number; type: 'analysis'; result: Analysis }
  | { id: number; type: 'failed'; code: string; message: string; isFatal: boolean };

/** What the views use: web/playground/engine/lint-client.ts runs a worker. */
export interface LintEngine {
  /** Analyzes a text. Returns undefined if a newer call replaced this one. */
  analyze(text: string, options: AnalysisOptions): Promise<Analysis | undefined>;
  /** Ends the worker. The next call starts another one. */
  stop(): void;
}
