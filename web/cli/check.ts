// Why this file exists: one request is judged, and what is found gets its place in the file.
import type { Diagnostic, Repaired, Strata } from '../index.js';
import { UsageError, type Task } from './arguments.js';
import type { Request } from './request.js';
import { unwrapped } from './requests.js';
import { Lines, type Place } from './source.js';

/** A diagnostic, and where the file says what it is about. */
export interface LocatedDiagnostic extends Diagnostic, Place {
  file: string;
  /** Which of the file's requests it is about, where it has several. */
  request?: string;
  /** Byte offset in the file. */
  offset: number;
}

/** What is told, and where an excerpt is taken from: only the request is ever shown, never what is around it. */
export interface Finding {
  told: LocatedDiagnostic;
  lines: Lines;
  at: number;
}

/** A request, judged; `body` is the given one or, with `--repair`, the repaired one. */
export interface Checked {
  request: Request;
  findings: Finding[];
  ok: boolean;
  body: Uint8Array;
}

// What the body of cachedContents.create has, and a request has not.
const cacheFields = /^\/(ttl|expireTime|expire_time|displayName|display_name)$/;

function counts({ code, path }: Diagnostic, { kind }: Request): boolean {
  if (kind !== 'cache') return true;
  return !(code === 'field.unknown' && cacheFields.test(path)) && code !== 'contents.empty';
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Byte offsets in the body; what is missing stands where its parent stands. */
function offsetsOf(strata: Strata, body: Uint8Array, paths: string[]): number[] {
  const offsets = paths.map((): number | undefined => undefined);
  let open = paths.map((path, index) => ({ path, index }));
  while (open.length > 0) {
    const places = strata.locate(
      body,
      open.map(({ path }) => path),
    );
    places.forEach((place, i) => {
      const index = open[i]?.index;
      if (place && index !== undefined) offsets[index] = place.start;
    });
    open = open
      .filter(({ path }, i) => !places[i] && path !== '')
      .map(({ path, index }) => ({ path: parentOf(path), index }));
  }
  return offsets.map((offset) => offset ?? 0);
}

function judge(strata: Strata, request: Request, task: Task): Repaired {
  const model = request.model ?? task.model;
  if (model === undefined) {
    throw new UsageError(`${request.source.name} does not say its model: give --model.`);
  }
  const backend = task.backend ?? request.backend;
  const options = { model, ...(backend === undefined ? {} : { backend }) };
  const { dummySignatures } = task;
  if (task.repair) return strata.repair(request.body, { ...options, dummySignatures });
  return { ...strata.lint(request.body, options), body: request.body };
}

// A body that findings are about: the given one in its file, or the repaired one, which is in none.
interface Text {
  file: string;
  body: Uint8Array;
  start: number;
  /** Those of the file, or of the repaired text. */
  lines: Lines;
}

function placed(strata: Strata, request: Request, text: Text, found: Diagnostic[]): Finding[] {
  const { label, quoted, wrapped } = request;
  const own = new Lines(unwrapped(request, text.body));
  const paths = found.map(({ path }) => path);
  return offsetsOf(strata, text.body, paths).map((inBody, i) => {
    const diagnostic = found[i] as Diagnostic;
    const offset = Math.max(0, text.start + (quoted ? 0 : inBody));
    const path = wrapped ? diagnostic.path.replace(/^\/contents/, '') : diagnostic.path;
    const about = label === undefined ? {} : { request: label };
    const place = { file: text.file, ...about, ...text.lines.place(offset), offset };
    const at = Math.max(0, inBody - (wrapped?.before ?? 0));
    return { told: { ...place, ...diagnostic, path }, lines: own, at };
  });
}

function check(strata: Strata, request: Request, lines: Lines, task: Task): Checked {
  const { body, diagnostics } = judge(strata, request, task);
  const { source, start } = request;
  const given = { file: source.name, body: request.body, start, lines };
  const changed = diagnostics.some(({ repaired }) => repaired);
  const repaired = {
    file: `${source.name} (repaired)`,
    body,
    start: -(request.wrapped?.before ?? 0),
    lines: new Lines(unwrapped(request, body)),
  };
  const counted = diagnostics.filter((found) => counts(found, request));
  const isMend = (found: Diagnostic) => found.repaired === true;
  const rest = counted.filter((found) => !isMend(found));
  const findings = [
    ...placed(strata, request, given, counted.filter(isMend)),
    ...placed(strata, request, changed ? repaired : given, rest),
  ];
  return { request, findings, ok: rest.every(({ severity }) => severity !== 'error'), body };
}

/** Judges the requests of one file. */
export function checkRequests(strata: Strata, requests: Request[], task: Task): Checked[] {
  const [first] = requests;
  const lines = new Lines(first?.source.bytes ?? new Uint8Array(0));
  return requests.map((request) => check(strata, request, lines, task));
}
