// Defines the options and the result of `Checker.import`.
import type { Diagnostic } from './diagnostic.js';
import type { Content } from './gemini/contents.js';
import type { ServiceOptions } from './model.js';

/** Options of `Checker.import`. */
export interface ImportOptions extends ServiceOptions {
  /** The model that receives the turns, for `signatures`. Default: the newest one. */
  model?: string;
  /** The format of the history. Default: detected. */
  format?:
    'strata' | 'gemini' | 'raw_response' | 'openai' | 'ai-sdk' | 'langchain' | 'interactions';
  /** The model and the service (a `Backend`) that created the signatures, if the history does not say so. Default: those of the options. */
  signaturesFrom?: { model?: string; backend?: string };
  /**
   * What happens to signatures that another model or service created. `keep` (default): they stay and are
   * reported. `strip`: they are removed. `dummy`: they are removed, and unsigned calls of the current turn get
   * the placeholder that Google documents, which may reduce the quality of answers.
   *
   * @see https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  signatures?: 'keep' | 'strip' | 'dummy';
}

/** A converted history. */
export interface Imported {
  /** The turns, parsed. */
  readonly contents: Content[];
  /** The same turns as a JSON array, with numbers as the history has them. */
  readonly contentsJson: Uint8Array;
  /** The same turns in the saved form of a thread, with what is known of each. `thread({ from })` reads it. */
  readonly saved: Uint8Array;
  /** The text of the system messages at the start of the history. Pass it to `assemble` as `static.text`. */
  readonly systemText: string;
  /** What was changed or left out. Paths point into the imported history. */
  readonly diagnostics: Diagnostic[];
}
