// Lints or repairs requests and maps each diagnostic to its position in the file.
import type { Checker, Diagnostic, Repaired } from '../check/index.js';
import { UsageError } from './arguments.js';
import type { Task } from './commands.js';
import { changesWithin } from './dated-changes.js';
import { applicable, pathInFile, unwrapped } from '../requests/requests.js';
import type { Request, Place } from '../requests/request.js';
import { AscendingOffsets, TextOffsets, withPlace } from '../requests/text-offsets.js';
import { isJson, parseLenient } from '../sdk/internal/json-text.js';
import { decodeDocument, decodeUtf8 } from '../sdk/internal/bytes.js';

/** A diagnostic with its position in a file. */
export interface LocatedDiagnostic
  extends Omit<Diagnostic, 'range' | 'edits' | 'places' | keyof Place>, Place {
  file: string;
  /** The request within the file, if the file has several. */
  request?: string;
  /** The byte offset in the file. */
  offset: number;
}

/** A diagnostic and the source of its excerpt. Excerpts show the request only, never the text around it. */
export interface Finding {
  diagnostic: LocatedDiagnostic;
  request: TextOffsets;
  /** The UTF-16 offset in the request. */
  at: number;
}

/** Returns whether findings of one of these severities remain. */
export const hasRemaining = (
  checked: readonly Checked[],
  severities: readonly Diagnostic['severity'][],
): boolean =>
  checked.some(({ remaining }) => remaining.some(({ severity }) => severities.includes(severity)));

/** A checked request. `body` is the original or, with `--repair`, the repaired body. */
export interface Checked {
  request: Request;
  findings: Finding[];
  /** What remains. */
  remaining: readonly Diagnostic[];
  body: Uint8Array;
}

/** What of the arguments of `lint` says how a request is checked. */
export type CheckTask = Pick<
  Task,
  'model' | 'backend' | 'now' | 'repair' | 'dummySignatures' | 'breaksWithin'
>;

function lintOrRepair(
  checker: Checker,
  request: Request,
  task: CheckTask,
): Pick<Repaired, 'diagnostics' | 'body'> {
  const { api, apiVersion } = request;
  const isOfGoogle = api === undefined || api === 'interactions';
  // What is wrong with a body for others, or with a text that is not JSON, does not depend on the model.
  const needsModel = isOfGoogle && isJson(decodeDocument(request.body), parseLenient);
  const model = request.model ?? task.model ?? (needsModel ? undefined : 'gemini');
  if (model === undefined) {
    throw new UsageError(
      `${request.source.name} does not name a model. Pass --model, or the argument model of the tool.`,
    );
  }
  const backend = task.backend ?? request.backend;
  const target = { model, now: task.now, ...(backend && { backend }) };
  const options = { ...target, ...(apiVersion && { apiVersion }), positions: 'utf16' as const };
  const { dummySignatures, breaksWithin } = task;
  if (task.repair) return checker.repair(request.body, { ...options, dummySignatures });
  const lintAt = (now: string) => checker.lint(request.body, { ...options, now }).diagnostics;
  const diagnostics =
    breaksWithin === undefined ? lintAt(task.now) : changesWithin(breaksWithin, task.now, lintAt);
  return { diagnostics, body: request.body };
}

/** The text of a file. */
interface FileText {
  document: TextOffsets;
  /** The bytes before the document: those of a byte order mark, or none. */
  marked: number;
  /** Counts the units before a byte of the document. */
  units: AscendingOffsets;
}

/** A body, and the text in which its diagnostics are located. */
interface LocatedBody {
  file: string;
  body: Uint8Array;
  document: TextOffsets;
  marked: number;
  /** Returns where in the document a UTF-16 offset of the body is. */
  placeOf: (inBody: number) => number;
}

/** Returns the original body in its file. */
function original(request: Request, { document, marked, units }: FileText): LocatedBody {
  const { source, body, start, quoted, wrapped } = request;
  const file = { file: source.name, body, document, marked };
  if (quoted) {
    const string = quoted.read(document.text);
    return { ...file, placeOf: (inBody) => string.placeOf(inBody + quoted.skipped) };
  }
  const before = wrapped?.before ?? 0;
  const first = units.units(start + before - marked) - before;
  return { ...file, placeOf: (inBody) => Math.max(0, first + inBody) };
}

/** Returns a repaired body, which is a text of its own. */
function repairedText(request: Request, body: Uint8Array): LocatedBody {
  const before = request.wrapped?.before ?? 0;
  return {
    file: `${request.source.name} (repaired)`,
    ...{ body, marked: 0 },
    document: new TextOffsets(decodeDocument(unwrapped(request, body))),
    placeOf: (inBody) => Math.max(0, inBody - before),
  };
}

// Returns a diagnostic for each place. Edits are those of the body, not of the file.
const eachPlace = ({ places = [], edits: _, more, ...found }: Diagnostic): Diagnostic[] => [
  { ...found, ...(more === undefined ? {} : { more }) },
  ...places.map((place) => ({ ...found, ...place })),
];

function locateAll(
  request: Request,
  { file, body, document, marked, placeOf }: LocatedBody,
  diagnostics: Diagnostic[],
): Finding[] {
  const { label, wrapped } = request;
  const own = new TextOffsets(decodeDocument(unwrapped(request, body)));
  return diagnostics.flatMap(eachPlace).map(({ range: [inBody] = [0, 0], ...found }) => {
    const at = placeOf(inBody);
    const place = document.place(at);
    const offset = at > 0 ? marked + document.bytes(at) : 0;
    const path = pathInFile(request, found.path);
    const labelField = label === undefined ? {} : { request: label };
    const message = withPlace(found, place);
    return {
      // The line and column of `found` are those in the body.
      diagnostic: { file, ...labelField, ...place, offset, ...found, ...place, path, message },
      request: own,
      at: Math.max(0, inBody - (wrapped?.before ?? 0)),
    };
  });
}

function check(checker: Checker, request: Request, file: FileText, task: CheckTask): Checked {
  const { body, diagnostics } = lintOrRepair(checker, request, task);
  const found = applicable(diagnostics, request);
  if (found.length === 0) return { request, findings: [], remaining: [], body };
  const repairs = found.filter(({ repaired }) => repaired);
  const remaining = found.filter(({ repaired }) => !repaired);
  const before = original(request, file);
  const changed = diagnostics.some(({ repaired }) => repaired);
  const after = changed ? repairedText(request, body) : before;
  const findings = [
    ...locateAll(request, before, repairs),
    ...locateAll(request, after, remaining),
  ];
  return { request, findings, remaining, body };
}

/** Lints or repairs the requests of one file, one after the other. */
export function* checkRequests(
  checker: Checker,
  requests: readonly Request[],
  task: CheckTask,
): Generator<Checked> {
  const bytes = requests[0]?.source.bytes ?? new Uint8Array(0);
  const marked = decodeUtf8(bytes.subarray(0, 3)) === '\ufeff' ? 3 : 0;
  const file = {
    document: new TextOffsets(decodeDocument(bytes)),
    marked,
    units: new AscendingOffsets(bytes.subarray(marked)),
  };
  for (const request of requests) yield check(checker, request, file, task);
}
