// Analyzes a text: finds its requests, removes credentials, lints each request, and locates the findings.
import type { Backend, Checker, Diagnostic, LintOptions } from '../../check/index.js';
import { applicable, findRequests, pathInFile } from '../../requests/requests.js';
import { convertMessages, messagesPath, type ConvertedMessages } from '../../requests/openai.js';
import { removeSecrets } from '../../requests/remove-secrets.js';
import type { FoundRequests, Request } from '../../requests/request.js';
import { AscendingOffsets, TextOffsets, withPlace } from '../../requests/text-offsets.js';
import { countDiagnostics } from '../../sdk/internal/first-diagnostics.js';
import { parseLenient } from '../../sdk/internal/json-text.js';
import { decodeDocument } from '../../sdk/internal/bytes.js';
import {
  keptFindings,
  type Analysis,
  type AnalysisOptions,
  type FoundRequest,
  type LintFinding,
  type TextEdit,
  type TextForm,
  type TextRange,
  type Timeline,
} from './lint-result.js';
import { BodyPlaces } from '../../requests/body-places.js';
import { googleErrorIn } from '../../requests/google-error.js';
import { ifValid } from './declaration.js';
import { repairWords } from './repair-words.js';
import { emulatedIn } from './signatures.js';
import { evidenceFor } from './rule-text.js';
import { ruleTexts } from '#generated/rule-texts';
import { laidOutEdits, RepairList } from './text-repairs.js';

/** The most findings and requests of one text that are returned. */
const maxFindings = 1000;
const maxRequests = 2000;
/** The most Contents of a history that are returned. */
const maxContents = 20_000;

/** OpenAI messages: where they are, all and each, and the Gemini request. */
interface Messages {
  whole: TextRange;
  ranges: TextRange[];
  converted: ConvertedMessages;
}

/** What all requests of a text are linted with: the repairs are those of all. */
interface Linting {
  checker: Checker;
  repairs: RepairList;
  options: AnalysisOptions;
}

/** One request of a text, with everything that is known about it. */
interface LintedRequest {
  request: Request;
  index: number;
  places: BodyPlaces;
  /** The text that has the request. */
  text: TextOffsets;
  model: string;
  /** The model that serves the name. */
  served: string;
  backend: Backend;
  findings: LintFinding[];
  /** Set if the body holds OpenAI messages. */
  openai?: Messages;
}

const parse = (text: string): unknown => ifValid(() => parseLenient(text));

/** Returns the options with which the core judges a request. */
function lintOptions(
  { model, backend, request: { apiVersion } }: LintedRequest,
  { request: _, ...others }: AnalysisOptions,
): LintOptions {
  return { ...others, model, backend, ...(apiVersion && { apiVersion }) };
}

/** Returns where a finding, whose positions are in UTF-16 units, is in the body. An error is at one character. */
function rangeIn({ places }: LintedRequest, { range }: Pick<Diagnostic, 'range'>): TextRange {
  const [from, to] = range ?? [0, 0];
  return { from, to: Math.min(Math.max(to, from + 1), places.body.length) };
}

/** Returns where the values at JSON Pointers are in the body, or else their nearest parents. */
const rangesOf = (checker: Checker, body: string, pointers: readonly string[]): TextRange[] =>
  checker
    .locate(body, pointers, { positions: 'utf16' })
    .map(({ start, end }) => ({ from: start, to: end }));

/** Returns where the messages are from which a Content of converted messages was made. */
function messageRange({ whole, ranges, converted }: Messages, path: string): TextRange {
  const index = Number(/^\/contents\/(\d+)/.exec(path)?.[1] ?? -1);
  const indexes = converted.messages?.[index] ?? [];
  const [first, last] = [ranges[indexes[0] ?? -1], ranges[indexes.at(-1) ?? -1]];
  return first && last ? { from: first.from, to: last.to } : whole;
}

function findingOf(
  linted: LintedRequest,
  found: Diagnostic,
  range: TextRange,
  repair?: number,
): LintFinding {
  const { code, severity, upstream, fix, more, places = [] } = found;
  const text = ruleTexts[code];
  // What an import changes is this package's own: no document of Google is about it.
  const isOwn = code.startsWith('import.');
  const place = linted.places.range(range);
  const google = [upstream, ...(text?.google ?? [])].filter((one) => one !== undefined);
  const path = pathInFile(linted.request, found.path);
  return {
    ...{ code, severity, path, ...place, request: linted.index },
    message: withPlace(found, linted.text.place(place.from)),
    why: text?.why ?? '',
    // Google's words for this place come first; the same text with placeholders would repeat them.
    google: upstream === undefined ? google : [upstream],
    ...(text && !isOwn ? { evidence: evidenceFor(text, linted.served, linted.backend) } : {}),
    ...(repair === undefined ? {} : { repair }),
    ...(fix !== undefined && repair === undefined ? { isOpen: true } : {}),
    ...(more === undefined ? {} : { more }),
    places: places.map((other) => linted.places.range(rangeIn(linted, other))),
  };
}

function lintMessages({ checker, options }: Linting, linted: LintedRequest): void {
  const { request, places } = linted;
  const value = parse(places.body);
  const path = messagesPath(value);
  if (path === undefined) return;
  const target = lintOptions(linted, options);
  const { cache: _, apiVersion: __, ...imported } = target;
  const converted = convertMessages(checker, request.body, value, imported);
  const count = converted.messages?.flat().length ?? 0;
  const pointers = Array.from({ length: count }, (_, i) => `${path}/${i}`);
  const paths = converted.diagnostics.map((found) => found.path);
  const [whole, ...located] = rangesOf(checker, places.body, [path, ...paths, ...pointers]);
  const ranges = located.slice(paths.length);
  const openai = { whole: whole as TextRange, ranges, converted };
  linted.openai = openai;
  const { diagnostics } = checker.lint(converted.body, target);
  const changes = converted.diagnostics.map((found, i) =>
    findingOf(linted, found, located[i] as TextRange),
  );
  const findings = diagnostics.map((found) =>
    findingOf(linted, found, messageRange(openai, found.path)),
  );
  linted.findings = [...changes, ...findings];
}

// Returns the edits of a finding in the body. What a shell computes could not be written elsewhere, and one edit alone
// may be wrong.
function editsOf({ request, places }: LintedRequest, { edits = [] }: Diagnostic): TextEdit[] {
  const own = edits.map(({ range: [from, to], text }) => ({ from, to, text }));
  const moves = ({ from, to }: TextRange) =>
    request.computed?.some((computed) => from <= computed.to && to >= computed.from);
  return own.some(moves) ? [] : laidOutEdits(places.body, own);
}

/** Adds the repair of a finding, with its edits in the text. Returns its index, if there is one. */
function repairOf({ repairs }: Linting, linted: LintedRequest, found: Diagnostic) {
  const { places } = linted;
  const edits = editsOf(linted, found);
  const inText = edits.map((edit) => ({
    ...places.range(edit),
    text: places.written(edit.text, edit),
  }));
  const wordsFor = (codes: readonly string[]) => repairWords(codes, places.body, edits);
  return repairs.add(found.code, inText, wordsFor);
}

function lintBody(linting: Linting, linted: LintedRequest): void {
  const { request } = linted;
  const target = lintOptions(linted, linting.options);
  const asked = { ...target, positions: 'utf16', dummySignatures: true } as const;
  const { diagnostics } = linting.checker.lint(request.body, asked);
  linted.findings = applicable(diagnostics, request).map((found) =>
    findingOf(linted, found, rangeIn(linted, found), repairOf(linting, linted, found)),
  );
}

function lintOne(linting: Linting, linted: LintedRequest): void {
  const { body } = linted.places;
  try {
    if (/"(?:content|tool_calls)"/.test(body)) lintMessages(linting, linted);
    if (!linted.openai) lintBody(linting, linted);
  } catch (error) {
    // The messages cannot be read: the findings say why.
    const { diagnostics } = error as { diagnostics?: Diagnostic[] };
    if (!diagnostics?.length) throw error;
    const paths = diagnostics.map(({ path }) => path);
    const at = (range: TextRange, i: number) =>
      findingOf(linted, diagnostics[i] as Diagnostic, range);
    linted.findings = rangesOf(linting.checker, body, paths).map(at);
  }
  linted.findings.sort((a, b) => a.from - b.from || a.to - b.to);
}

function formOf(found: FoundRequests, linted: readonly LintedRequest[]): TextForm {
  const [first] = linted;
  if (found.form !== 'body' && found.form !== 'contents') return found.form;
  if (first?.openai) return 'openai';
  return first && /^\s*[[{]/.test(first.places.body) ? found.form : 'text';
}

/** Returns the requests without those of other APIs that hold no OpenAI messages, and why they are left out. */
function withoutSkipped({ requests, notes }: FoundRequests): [Request[], FoundRequests['notes']] {
  const isSkipped = ({ skipped, body }: Request) =>
    skipped !== undefined && messagesPath(parse(decodeDocument(body))) === undefined;
  return [
    requests.filter((request) => !isSkipped(request)),
    [...notes, ...requests.filter(isSkipped).flatMap(({ skipped }) => skipped ?? [])],
  ];
}

/** Lints all requests of a text, which has no credentials. */
function lintText(
  linting: Linting,
  text: string,
): { form: TextForm; linted: LintedRequest[]; notes: FoundRequests['notes'] } {
  if (text.trim() === '') return { form: 'empty', linted: [], notes: [] };
  const { checker, options } = linting;
  const bytes = new TextEncoder().encode(text);
  const found = findRequests(checker, { name: 'text', bytes });
  const offsets = new AscendingOffsets(bytes);
  const whole = new TextOffsets(text);
  const [checked, notes] = withoutSkipped(found);
  const linted = checked.slice(0, maxRequests).map((request, index) => {
    const before = request.wrapped?.before ?? 0;
    const start = request.quoted ? 0 : offsets.units(request.start + before) - before;
    const places = new BodyPlaces(text, request, start);
    const { model = options.model, backend = options.backend } = request;
    const time = options.now === undefined ? {} : { now: options.now };
    const { servedBy: served } = checker.modelLimits(model, { backend, ...time });
    const target = { model, served, backend };
    const one: LintedRequest = { request, index, places, text: whole, ...target, findings: [] };
    lintOne(linting, one);
    return one;
  });
  return { form: formOf(found, linted), linted, notes };
}

function answerOf({ answer }: Request): Pick<FoundRequest, 'answer'> {
  if (!answer) return {};
  const { status, text } = answer;
  const error = googleErrorIn(text, ruleTexts);
  return { answer: { status, ...(error ? { error } : {}) } };
}

/** Returns a note about signatures of the emulator, if a text has any. */
function emulatedNotes(text: string): FoundRequests['notes'] {
  const [first, ...others] = emulatedIn(text);
  if (!first) return [];
  const { line } = new TextOffsets(text).place(first.from);
  const what =
    others.length === 0
      ? `The signature in line ${line} was`
      : `${others.length + 1} signatures, the first in line ${line}, were`;
  const message = `${what} made by the emulator, and Google refuses them. Code that you copy here has the placeholder instead.`;
  return [{ message, ...first }];
}

function summary(linted: LintedRequest): FoundRequest {
  const { request, index, places, model, backend, findings } = linted;
  const count = (wanted: string) =>
    countDiagnostics(findings.filter(({ severity }) => severity === wanted));
  const length = places.body.length;
  const { before = 0, after = 0 } = request.wrapped ?? {};
  return {
    ...places.range({ from: before, to: length - after }),
    label: request.label ?? `request ${index + 1}`,
    ...{ model, backend },
    ...{ errors: count('error'), warnings: count('warning'), notes: count('info') },
    ...(request.api && { api: request.api }),
    ...answerOf(request),
    names: { model: request.model !== undefined, backend: request.backend !== undefined },
  };
}

/** Returns the history of a request; undefined if it has no readable Contents. */
function timelineOf({ checker, options }: Linting, linted: LintedRequest): Timeline | undefined {
  const { request, index, places, openai } = linted;
  const body = openai ? openai.converted.body : request.body;
  const given = { ...lintOptions(linted, options), positions: 'utf16' as const, maxContents };
  const { turns, ...rest } = checker.timeline(body, given);
  if (turns.length === 0) return undefined;
  const contents = turns.map((turn) => {
    const [from, to] = turn.range ?? [0, 0];
    const place = openai ? messageRange(openai, `/contents/${turn.index}`) : { from, to };
    // Copies of 20,000 turns would take longer than all else.
    return Object.assign(turn, places.range(place));
  });
  return { request: index, ...rest, turns: contents };
}

/** Returns the JSON text of the request that the API receives. */
function bodyOf({ places, openai }: LintedRequest): string {
  return openai ? decodeDocument(openai.converted.body) : places.body;
}

export function analyze(checker: Checker, pasted: string, options: AnalysisOptions): Analysis {
  // Without a byte order mark.
  const { text, removed } = removeSecrets(pasted.replace(/^\ufeff/, ''));
  const linting = { checker, repairs: new RepairList(), options };
  const googleError = googleErrorIn(text, ruleTexts);
  const { form, linted, notes } = googleError
    ? { form: 'text' as const, linted: [], notes: [] }
    : lintText(linting, text);
  const all = linted.flatMap(({ findings }) => findings);
  const hasError = ({ findings }: LintedRequest) =>
    findings.some(({ severity }) => severity === 'error');
  const { request: wanted } = options;
  const chosen = (wanted === undefined ? linted.find(hasError) : linted[wanted]) ?? linted[0];
  const findings = keptFindings(all, chosen?.index ?? 0, maxFindings);
  const timeline = chosen && timelineOf(linting, chosen);
  return {
    ...{ form, text, removedSecrets: removed, findings },
    notes: [...notes, ...emulatedNotes(text)],
    requests: linted.map(summary),
    chosen: chosen?.index ?? 0,
    repairs: linting.repairs.all,
    ruleCount: Object.keys(ruleTexts).length,
    canRepairAll: all.every(({ severity, repair }) => severity !== 'error' || repair !== undefined),
    omittedFindings:
      countDiagnostics(all) - findings.flatMap(({ places }) => [0, ...places]).length,
    ok: linted.length > 0 && !all.some(({ severity }) => severity === 'error'),
    ...(googleError ? { googleError } : {}),
    ...(timeline ? { timeline } : {}),
    ...(chosen ? { body: bodyOf(chosen) } : {}),
    ...(chosen?.openai ? { converted: bodyOf(chosen) } : {}),
  };
}
