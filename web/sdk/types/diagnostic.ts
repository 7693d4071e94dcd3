// Defines diagnostics: what is wrong with a body, a history, a template or an option, and where.
import type { DiagnosticCode } from './codes.js';

/** One finding about a body, a history, a template or an option. */
export interface Diagnostic {
  /** The rule or error, e.g. `response.count`. docs/diagnostics.md lists all codes. */
  code: DiagnosticCode;
  /** `error`: the API rejects it. `warning`: the API may reject it. `info`: worth knowing. */
  severity: 'error' | 'warning' | 'info';
  /** A JSON Pointer (RFC 6901) into the body, e.g. `/contents/2/parts/0`. `''` is the whole body. */
  path: string;
  message: string;
  /** The API's own error message, if known. */
  upstream?: string;
  /** How `repair` fixes the error, if it can. */
  fix?: string;
  /**
   * Where it is written in the body that `lint` got as text or bytes, as offsets `[begin, end)` in bytes or, with
   * `positions: 'utf16'`, in UTF-16 units: the value at `path`, or the object or array that lacks it. An error in the
   * JSON text has an empty range where reading ended. Also of a repair with `positions`, see `RepairOptions`.
   *
   * @example
   * const { diagnostics } = checker.lint(text, { model, positions: 'utf16' });
   * for (const { range } of diagnostics) if (range) mark(text.slice(...range));
   */
  range?: [number, number];
  /** The line in which `range` begins, from 1. Lines end with a line feed. */
  line?: number;
  /** The column in which `range` begins, from 1, in the units of `range`. */
  column?: number;
  /**
   * The changes with which `repair` resolves it: in the units of `range`, in the order of the body, and without
   * overlap. Findings that can only be repaired together have the same edits; those of different ones do not touch. The
   * edits of all findings make the body that `repair` returns. Absent if nothing can be repaired without guessing.
   *
   * @example
   * const { edits = [] } = diagnostics[0];
   * for (const { range, text: fixed } of edits.toReversed())
   *   text = text.slice(0, range[0]) + fixed + text.slice(range[1]);
   */
  edits?: TextEdit[];
  /** Where else the same is wrong, if the same `edits` repair it: the other places of one fault. */
  places?: DiagnosticPlace[];
  /** The error was repaired as `fix` says. `path` then points into the original body. */
  repaired?: true;
  /**
   * How many further findings with this code and severity are not listed: of each, a list has the first 100, and only
   * the first one after 1,000 findings in all.
   */
  more?: number;
}

/** Replaces a range of a text. */
export interface TextEdit {
  range: [number, number];
  text: string;
}

/** A place of a body, see `Diagnostic`. */
export type DiagnosticPlace = Pick<Diagnostic, 'path' | 'range' | 'line' | 'column'>;

/** The diagnostics of one check. */
export interface Report {
  /** True if no diagnostic has the severity `error`. */
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** A half-open range of offsets, `[start, end)`. */
export interface Span {
  start: number;
  end: number;
}
