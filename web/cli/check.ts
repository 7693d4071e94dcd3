// Lints or repairs requests and maps each diagnostic to its position in the file.
import type { Diagnostic, Repaired, Strata } from '../index.js';
import { UsageError, type Task } from './arguments.js';
import { applies } from '../requests/applies.js';
import type { Request } from '../requests/request.js';
import { unwrapped } from '../requests/requests.js';
import { Lines, type Place } from '../requests/source.js';
import { isJson } from '../sdk/base/is-json.js';
import { decodeDocument } from '../sdk/base/utf8.js';

/** A diagnostic with its position in a file. */
export interface LocatedDiagnostic extends Diagnostic, Place {
  file: string;
  /** The request within the file, if the file has several. */
  request?: string;
  /** The byte offset in the file. */
  offset: number;
}

/** A diagnostic and the source of its excerpt. Excerpts show the request only, never the text around it. */
export interface Finding {
  diagnostic: LocatedDiagnostic;
  /** The lines of the request. */
  lines: Lines;
  /** The byte offset in the request. */
  at: number;
}

/** A checked request. `body` is the original or, with `--repair`, the repaired body. */
export interface Checked {
  request: Request;
  findings: Finding[];
  /** Whether no errors remain. */
  ok: boolean;
  body: Uint8Array;
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Returns the byte offset of each path in the body. A missing value has the offset of its nearest parent. */
function offsetsOf(strata: Strata, body: Uint8Array, paths: string[]): number[] {
  const offsets = paths.map((): number | undefined => undefined);
  let pending = paths.map((path, index) => ({ path, index }));
  while (pending.length > 0) {
    const places = strata.locate(
      body,
      pending.map(({ path }) => path),
    );
    places.forEach((place, i) => {
      const index = pending[i]?.index;
      if (place && index !== undefined) offsets[index] = place.start;
    });
    pending = pending
      .filter(({ path }, i) => !places[i] && path !== '')
      .map(({ path, index }) => ({ path: parentOf(path), index }));
  }
  return offsets.map((offset) => offset ?? 0);
}

function lintOrRepair(strata: Strata, request: Request, task: Task): Repaired {
  // What is wrong with a text that is not JSON does not depend on the model.
  const model =
    request.model ?? task.model ?? (isJson(decodeDocument(request.body)) ? undefined : 'gemini');
  if (model === undefined) {
    throw new UsageError(`${request.source.name} does not name a model. Pass --model.`);
  }
  const backend = task.backend ?? request.backend;
  const options = { model, now: task.now, ...(backend === undefined ? {} : { backend }) };
  const { dummySignatures } = task;
  if (task.repair) return strata.repair(request.body, { ...options, dummySignatures });
  return { ...strata.lint(request.body, options), body: request.body };
}

// The text that diagnostics refer to: the original body in its file, or the repaired body.
interface Text {
  file: string;
  body: Uint8Array;
  start: number;
  /** The lines of the file, or of the repaired body. */
  lines: Lines;
}

function locateAll(
  strata: Strata,
  request: Request,
  text: Text,
  diagnostics: Diagnostic[],
): Finding[] {
  const { label, quoted, wrapped } = request;
  const own = new Lines(unwrapped(request, text.body));
  const paths = diagnostics.map(({ path }) => path);
  return offsetsOf(strata, text.body, paths).map((inBody, i) => {
    const found = diagnostics[i] as Diagnostic;
    const offset = Math.max(0, text.start + (quoted ? 0 : inBody));
    const path = wrapped ? found.path.replace(/^\/contents/, '') : found.path;
    const labelField = label === undefined ? {} : { request: label };
    const place = { file: text.file, ...labelField, ...text.lines.place(offset), offset };
    const at = Math.max(0, inBody - (wrapped?.before ?? 0));
    return { diagnostic: { ...place, ...found, path }, lines: own, at };
  });
}

function check(strata: Strata, request: Request, lines: Lines, task: Task): Checked {
  const { body, diagnostics } = lintOrRepair(strata, request, task);
  const { source, start } = request;
  const original = { file: source.name, body: request.body, start, lines };
  const changed = diagnostics.some(({ repaired }) => repaired);
  const repaired = {
    file: `${source.name} (repaired)`,
    body,
    start: -(request.wrapped?.before ?? 0),
    lines: new Lines(unwrapped(request, body)),
  };
  const applicable = diagnostics.filter((found) => applies(found, request));
  const isRepaired = (found: Diagnostic) => found.repaired === true;
  const remaining = applicable.filter((found) => !isRepaired(found));
  const findings = [
    ...locateAll(strata, request, original, applicable.filter(isRepaired)),
    ...locateAll(strata, request, changed ? repaired : original, remaining),
  ];
  return { request, findings, ok: remaining.every(({ severity }) => severity !== 'error'), body };
}

/** Lints or repairs the requests of one file. */
export function checkRequests(strata: Strata, requests: Request[], task: Task): Checked[] {
  const [first] = requests;
  const lines = new Lines(first?.source.bytes ?? new Uint8Array(0));
  return requests.map((request) => check(strata, request, lines, task));
}
