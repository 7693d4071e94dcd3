// Diagnostics: what is wrong with a body, a history or a template, and where.

/** One finding about a body, a history or a template. */
export interface Diagnostic {
  /** The thing and what is wrong with it, e.g. `response.count`; docs/diagnostics.md lists them all. */
  code: string;
  /** `error`: the API refuses it. `warning`: it may. `info`: worth knowing. */
  severity: 'error' | 'warning' | 'info';
  /** JSON Pointer into the body, e.g. `/contents/2/parts/0`; `''` is the whole body. */
  path: string;
  message: string;
  /** What Google's API answers, where its text is known. */
  upstream?: string;
  /** What repair does about an error, where it can. */
  fix?: string;
  /** Repair has done what `fix` says: this is a note. `path` is the place in the body as it was given. */
  repaired?: true;
}

/** What was found. `ok` means: no finding is an error. */
export interface Report {
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** Byte offsets into a text, the end excluded. */
export interface Span {
  start: number;
  end: number;
}
