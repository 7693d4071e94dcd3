// Lints or repairs requests and maps each diagnostic to its position in the file.
import type { Diagnostic, Repaired, Strata } from '../index.js';
import { UsageError, type Task } from './arguments.js';
import { applicable } from '../requests/applies.js';
import type { Request } from '../requests/request.js';
import { unwrapped } from '../requests/requests.js';
import { Lines, type Place } from '../requests/source.js';
import { AscendingOffsets, TextOffsets, withPlace } from '../requests/text-offsets.js';
import { isJson } from '../sdk/base/is-json.js';
import { parseLenient } from '../sdk/base/lenient-json.js';
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
    request.model ??
    task.model ??
    (isJson(decodeDocument(request.body), parseLenient) ? undefined : 'gemini');
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
  /** Of the file, if the body is inside a string of it. */
  document?: TextOffsets;
}

type BytePlace = Place & { offset: number };

/** Returns the places in the file of findings about the text of a body, whose offsets ascend. */
function textPlaces(request: Request, { body, start, lines, document }: Text) {
  const { quoted } = request;
  const string = document && quoted?.read(document.text);
  const units = new AscendingOffsets(body);
  return (inBody: number): BytePlace => {
    if (!document || !string || !quoted) {
      const offset = Math.max(0, start + (quoted ? 0 : inBody));
      return { ...lines.place(offset), offset };
    }
    const at = string.placeOf(units.units(inBody) + quoted.skipped);
    return { ...document.place(at), offset: document.bytes(at) };
  };
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
  const placeOfText = textPlaces(request, text);
  return offsetsOf(strata, text.body, paths).map((ofPath, i) => {
    const { range, ...found } = diagnostics[i] as Diagnostic;
    const inBody = range?.[0] ?? ofPath;
    const offset = Math.max(0, text.start + (quoted ? 0 : inBody));
    const at = range ? placeOfText(inBody) : { ...text.lines.place(offset), offset };
    const path = wrapped ? found.path.replace(/^\/contents/, '') : found.path;
    const message = range ? withPlace(found.message, at) : found.message;
    const labelField = label === undefined ? {} : { request: label };
    return {
      diagnostic: { file: text.file, ...labelField, ...at, ...found, path, message },
      lines: own,
      at: Math.max(0, inBody - (wrapped?.before ?? 0)),
    };
  });
}

function check(
  strata: Strata,
  request: Request,
  { lines, document }: Pick<Text, 'lines'> & { document: TextOffsets },
  task: Task,
): Checked {
  const { body, diagnostics } = lintOrRepair(strata, request, task);
  const { source, start } = request;
  const original = { file: source.name, body: request.body, start, lines, document };
  const changed = diagnostics.some(({ repaired }) => repaired);
  const repaired = {
    file: `${source.name} (repaired)`,
    body,
    start: -(request.wrapped?.before ?? 0),
    lines: new Lines(unwrapped(request, body)),
  };
  const found = applicable(diagnostics, request);
  const isRepaired = (one: Diagnostic) => one.repaired === true;
  const remaining = found.filter((one) => !isRepaired(one));
  const findings = [
    ...locateAll(strata, request, original, found.filter(isRepaired)),
    ...locateAll(strata, request, changed ? repaired : original, remaining),
  ];
  return { request, findings, ok: remaining.every(({ severity }) => severity !== 'error'), body };
}

/** Lints or repairs the requests of one file. */
export function checkRequests(strata: Strata, requests: Request[], task: Task): Checked[] {
  const [first] = requests;
  const bytes = first?.source.bytes ?? new Uint8Array(0);
  const file = { lines: new Lines(bytes), document: new TextOffsets(decodeDocument(bytes)) };
  return requests.map((request) => check(strata, request, file, task));
}
