// Defines the options and results of `lint`, `repair` and `locate`.
import type { Report } from '../sdk/types/diagnostic.js';
import type { ServiceOptions } from '../sdk/types/model.js';
import type { Wire } from '../sdk/types/wire.js';

export type { Wire };

/** Options of `Checker.lint`. */
export interface LintOptions extends ServiceOptions {
  /** The model that receives the body, with or without `models/`. Rules and severities depend on it. An unknown `gemini-*` model is treated like the newest one. */
  model: string;
  /** The API that the body is for. Default: its shape decides, and then the model's name. */
  wire?: Wire;
  /** The version in the path of an Interactions request: `v1` takes fewer fields. Default: `v1beta`. */
  apiVersion?: 'v1beta' | 'v1';
  /** The CachedContent that the body names: its model and its size in tokens. */
  cache?: { model: string; tokens?: number };
  /** The model and the service (a `Backend`) that created the history's signatures, if they differ from `model` and `backend`. */
  signaturesFrom?: { model?: string; backend?: string };
  /**
   * The units of `range` and `column` of the findings: bytes of UTF-8, or UTF-16 code units, which are the indexes of
   * a JavaScript string. Bytes with a byte order mark count it. Default: `bytes`.
   */
  positions?: 'bytes' | 'utf16';
  /**
   * `repair` adds, and `edits` of `lint` add, the documented placeholder signature to the first functionCall of each unsigned step of the current
   * turn. The API accepts it, but the quality of answers may drop. An existing signature is never replaced.
   * Default: false.
   *
   * @see https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  dummySignatures?: boolean;
}

/** Options of `Checker.locate`. */
export type LocateOptions = Pick<LintOptions, 'positions'>;

/** Options of `Checker.repair`. */
export interface RepairOptions extends LintOptions {
  /**
   * Adds `range`, `line` and `column` to the findings, in these units: in the original body where `repaired` is set, with
   * `edits`, otherwise in the repaired one. Without it, only findings about the JSON text have a range, in bytes.
   */
  positions?: 'bytes' | 'utf16';
  /**
   * The most JSON values, keys included, that the repair may read, which it does again after each round of fixes.
   * Beyond them it throws StrataError `repair.too_much`. Its time grows with this number. Default: no limit.
   */
  maxValues?: number;
}

/** The result of `Checker.repair`: the repairs (`repaired: true`), then the findings that remain. */
export interface Repaired extends Report {
  /** The original bytes if nothing was repaired, otherwise the repaired body, UTF-8. */
  body: Uint8Array;
}

/** Options of `Checker.timeline`. `positions` are the units of the ranges. */
export interface BodyTimelineOptions extends LintOptions {
  /** The most Contents that are returned. Default: all. */
  maxContents?: number;
}

/** What `Checker.lint` returns. */
export interface LintReport extends Report {
  /** The API that the body was judged for. A body for OpenAI or Anthropic has one finding, which says so. */
  wire: Wire;
}

/** Options of `Checker.convert`. */
export interface ConvertOptions extends ServiceOptions {
  /** The API that the result is for. */
  to: Wire;
  /** The model of the request. An Interactions body names it. */
  model: string;
  /**
   * Gives a turn of the model whose calls have no signature the placeholder that Google documents, at a cost in quality
   * (https://ai.google.dev/gemini-api/docs/thought-signatures). Default: false.
   */
  placeholder?: boolean;
}

/** What `Checker.convert` returns. */
export interface ConvertedBody extends Report {
  /** JSON; empty if the document cannot be read. */
  body: Uint8Array;
}
