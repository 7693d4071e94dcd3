// Options and results of `lint` and `repair`.
import type { Backend } from './backend.js';
import type { Report } from './diagnostic.js';

/** What `lint` must know besides the body. */
export interface LintOptions {
  /** The model the body is meant for; rules and severities depend on it. An unknown `gemini-*` is judged like the newest. */
  model: string;
  /** Default: `gemini`. */
  backend?: Backend;
  /** What is known of the CachedContent that the body names. */
  cache?: { model: string; tokens?: number };
  /** Where the history's signatures come from, when that is not this model and backend. `backend`: a Backend. */
  signaturesFrom?: { model?: string; backend?: string };
}

/** What `repair` may do besides. */
export interface RepairOptions extends LintOptions {
  /**
   * Puts the documented placeholder on the first call of each unsigned step of the current turn. It passes
   * the API's check, at a cost in quality; a real signature is never replaced.
   */
  dummySignatures?: boolean;
}

/** The mended body, what was mended (`mended: true`), and what is still wrong with it. */
export interface Repaired extends Report {
  /** The given bytes where nothing was an error, otherwise with the mends in them. */
  body: Uint8Array;
}
