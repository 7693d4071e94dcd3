// Defines the messages between the page and the worker that lints.
import type {
  Analysis,
  AnalysisOptions,
  RepairedText,
  RepairTextOptions,
} from './analysis-result.js';

/** What the page asks the worker. */
export type LintCall =
  | { id: number; type: 'analyze'; text: string; options: AnalysisOptions }
  | { id: number; type: 'repair'; text: string; options: RepairTextOptions };

/** What the worker answers. After `isFatal`, the worker cannot be used any more. */
export type LintReply =
  | { id: number; type: 'analyze'; result: Analysis }
  | { id: number; type: 'repair'; result: RepairedText }
  | { id: number; type: 'failed'; code: string; message: string; isFatal: boolean };

/** What the views use: web/playground/lint/client.ts runs a worker. */
export interface LintEngine {
  /** Analyzes a text. Returns undefined if a newer call replaced this one. */
  analyze(text: string, options: AnalysisOptions): Promise<Analysis | undefined>;
  /** Repairs a text: pass `Analysis.text`. Returns undefined if a newer call replaced this one. */
  repair(text: string, options: RepairTextOptions): Promise<RepairedText | undefined>;
  /** Ends the worker. The next call starts another one. */
  stop(): void;
}
