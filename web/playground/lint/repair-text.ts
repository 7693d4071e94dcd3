// Repairs the requests of a text where they are written, as changes that can be taken one by one.
import type { Diagnostic, Strata } from '../../index.js';
import { countDiagnostics } from '../../sdk/base/first-diagnostics.js';
import { decodeDocument } from '../../sdk/base/utf8.js';
import { cleanText, lintOptions, lintText, rangeIn, type LintedRequest } from './analysis.js';
import type { RepairedText, RepairHunk, RepairTextOptions, TextRange } from './analysis-result.js';
import { applyChanges, changesBetween, type Change } from './hunks.js';

/** A change of a body, and the repairs for which it is made. */
interface ExplainedChange extends Change {
  repairs: Diagnostic[];
}

const touches = (change: TextRange, { from, to }: TextRange): boolean =>
  change.from <= to && change.to >= from;

/** Adds each repair to the changes at its place, or else to the next one. Every change gets at least one. */
function explain(
  linted: LintedRequest,
  changes: readonly Change[],
  repairs: readonly Diagnostic[],
): ExplainedChange[] {
  const explained = changes.map((change) => ({ ...change, repairs: [] as Diagnostic[] }));
  const located = repairs
    .map((repair) => ({ repair, place: rangeIn(linted, repair) }))
    // The most exact places first.
    .sort((a, b) => a.place.to - a.place.from - (b.place.to - b.place.from));
  for (const { repair, place } of located) {
    const here = explained.filter((change) => touches(change, place));
    const free = here.filter((change) => change.repairs.length === 0);
    const next = explained.find(({ from }) => from >= place.from) ?? explained.at(-1);
    const chosen = free.length > 0 ? free : here.length > 0 ? here.slice(0, 1) : next ? [next] : [];
    for (const change of chosen) change.repairs.push(repair);
  }
  for (const change of explained) {
    if (change.repairs.length > 0) continue;
    const distance = ({ place }: { place: TextRange }) =>
      Math.max(place.from - change.to, change.from - place.to, 0);
    const [nearest] = [...located].sort((a, b) => distance(a) - distance(b));
    if (nearest) change.repairs.push(nearest.repair);
  }
  return explained;
}

function repairOne(
  strata: Strata,
  linted: LintedRequest,
  options: RepairTextOptions,
): ExplainedChange[] {
  const { request, places } = linted;
  if (!linted.findings.some(({ repairable }) => repairable)) return [];
  const { dummySignatures = true } = options;
  const target = { ...lintOptions(linted, options), dummySignatures };
  const { body, diagnostics } = strata.repair(request.body, { ...target, positions: 'utf16' });
  const repairs = diagnostics.filter(({ repaired }) => repaired);
  const changes = changesBetween(places.body, decodeDocument(body));
  // What a shell computes could not be written elsewhere, and one change alone may be wrong.
  const moves = (change: TextRange) => request.computed?.some((one) => touches(change, one));
  return changes.some(moves) ? [] : explain(linted, changes, repairs);
}

const isFor = (only: { code: string; path: string }, wrapped: boolean) => (found: Diagnostic) => {
  const path = wrapped ? found.path.replace(/^\/contents/, '') : found.path;
  return found.code === only.code && path === only.path;
};

// The finding may follow from another one, which is repaired at its place or in what it contains.
function changesAt(
  { places, request }: LintedRequest,
  changes: readonly ExplainedChange[],
  { path }: { path: string },
): ExplainedChange[] {
  const place = places.json.nearest(request.wrapped ? `/contents${path}` : path);
  return changes.filter((change) => touches(change, place));
}

const errorsIn = (
  strata: Strata,
  body: string,
  linted: LintedRequest,
  options: RepairTextOptions,
) =>
  strata
    .lint(body, lintOptions(linted, options))
    .diagnostics.filter(({ severity }) => severity === 'error');

/** Returns the changes for one finding, or all of them if these alone do not remove it or leave more errors. */
function changesFor(
  strata: Strata,
  linted: LintedRequest,
  changes: readonly ExplainedChange[],
  options: RepairTextOptions,
): readonly ExplainedChange[] {
  const { only } = options;
  if (!only) return changes;
  const isWanted = isFor(only, linted.request.wrapped !== undefined);
  const named = changes.filter(({ repairs }) => repairs.some(isWanted));
  const chosen = named.length > 0 ? named : changesAt(linted, changes, only);
  if (chosen.length === 0 || chosen.length === changes.length) return changes;
  const { body } = linted.places;
  const before = errorsIn(strata, body, linted, options);
  const after = errorsIn(strata, applyChanges(body, chosen), linted, options);
  const count = (errors: Diagnostic[]) =>
    countDiagnostics(errors.filter(({ code }) => code === only.code));
  const isBetter =
    countDiagnostics(after) <= countDiagnostics(before) && count(after) < count(before);
  return isBetter ? chosen : changes;
}

function hunkOf(
  { places, index }: LintedRequest,
  change: ExplainedChange,
  text: string,
): RepairHunk {
  const range = places.range(change);
  const { repairs } = change;
  return {
    ...range,
    before: text.slice(range.from, range.to),
    after: places.written(change.after, change),
    codes: [...new Set(repairs.map(({ code }) => code))],
    fixes: [...new Set(repairs.flatMap(({ fix }) => fix ?? []))],
    request: index,
  };
}

/** Repairs a text, or one of its findings. */
export function repairText(
  strata: Strata,
  pasted: string,
  options: RepairTextOptions,
): RepairedText {
  const { text } = cleanText(pasted);
  const { linted } = lintText(strata, text, options);
  const wanted = linted.filter(({ index }) => (options.only?.request ?? index) === index);
  const hunks = wanted.flatMap((one) =>
    changesFor(strata, one, repairOne(strata, one, options), options).map((change) =>
      hunkOf(one, change, text),
    ),
  );
  hunks.sort((a, b) => a.from - b.from);
  const repaired = applyChanges(text, hunks);
  const remaining = lintText(strata, repaired, options).linted.flatMap(({ findings }) => findings);
  return {
    ...{ text: repaired, hunks, remaining },
    ok: !remaining.some(({ severity }) => severity === 'error'),
  };
}
