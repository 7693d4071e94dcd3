// Judges a prompt: its templates, one request, what changed since the request before, and what a cache saves.
import type { Assembled, Json, Manifest, ModelLimits } from '../../index.js';
import { spansOf } from './layers.js';
import type {
  RequestChange,
  Engines,
  PlacementComparison,
  PlacementCost,
  PromptQuestion,
  PromptAnalysis,
  TemplateReport,
} from './prompt-result.js';
import { RequestSeries, variablesAt } from './request-series.js';
import { costOf } from '../../sdk/internal/cost.js';
import type { Placement } from '../state/playground-document.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { templateReport } from './template-report.js';

/** A request of a series, and the one of the message before. */
interface Pair {
  turn: number;
  before: Assembled;
  after: Assembled;
}

// Returns the number of bytes that both start with.
function commonPrefix(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
}

const same = (one: Json | undefined, other: Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

// Returns the variable that alone causes the difference at `byte`: with its earlier value, it comes later.
function changedVariable(series: RequestSeries, { turn, before }: Pair, byte: number) {
  const [old, current] = [series.valuesAt(turn - 1), series.valuesAt(turn)];
  const names = Object.keys({ ...old, ...current });
  const changed = names.filter((name) => !same(old[name], current[name]));
  return changed.find((name) => {
    const { body } = series.request(turn, undefined, { [name]: old[name] ?? null });
    return commonPrefix(before.body, body) > byte;
  });
}

const historyReasons = {
  dynamic:
    'In the request before, the dynamic layer was here. It moves behind each new turn, and the turn takes its place.',
  end: 'Nothing that was sent has changed. New turns start here.',
  contents: 'The history differs from here on.',
};

function reasonFor(series: RequestSeries, pair: Pair, byte: number): string {
  const [old, current] = [pair.before, pair.after].map(({ body, manifest }) =>
    spansOf(body, manifest).find(({ end }) => byte < end),
  );
  if (current?.layer === 'fields') return `\`${current.name}\` changed.`;
  const layer = current?.layer;
  if (layer !== 'static' && layer !== 'dynamic') {
    if (old?.layer === 'dynamic') return historyReasons.dynamic;
    return old ? historyReasons.contents : historyReasons.end;
  }
  if (old?.layer !== layer) return `The ${layer} layer starts here.`;
  const name = changedVariable(series, pair, byte);
  return name === undefined
    ? `The text of the ${layer} layer changed.`
    : `\`${name}\` changed, which the ${layer} layer contains.`;
}

/** Compares a request with the one of the message before; undefined if they are equal. */
export function requestChange(series: RequestSeries, pair: Pair): RequestChange | undefined {
  const { before, after } = pair;
  const firstByte = commonPrefix(before.body, after.body);
  if (firstByte === after.body.length) return undefined;
  return { firstByte, reason: reasonFor(series, pair, firstByte) };
}

const placements: Placement[] = ['after-static', 'before-current-turn'];

/** Ends a comparison whose question is not the newest any more. */
type Pause = () => Promise<boolean>;

type Rates = Pick<ModelLimits, 'implicitCacheMinimum' | 'price'>;

// Adds the requests up. A cache serves a stable prefix that reaches the minimum.
function sumOf(
  placement: Placement,
  manifests: Manifest[],
  { implicitCacheMinimum: minimum, price }: Rates,
): PlacementCost {
  const isServed = (tokens: number) => minimum > 0 && tokens >= minimum;
  const cost = { placement, requests: manifests.length, promptTokens: 0, servedTokens: 0 };
  for (const { promptTokens, stablePrefixTokens } of manifests) {
    cost.promptTokens += promptTokens;
    if (isServed(stablePrefixTokens)) cost.servedTokens += stablePrefixTokens;
  }
  const last = manifests.at(-1);
  const input = (cached: number) =>
    price && costOf({ input: cost.promptTokens, cached, output: 0 }, price);
  const [inputCost, uncachedCost] = [input(cost.servedTokens), input(0)];
  return {
    ...cost,
    lastPromptTokens: last?.promptTokens ?? 0,
    lastStableTokens: last?.stablePrefixTokens ?? 0,
    ...(inputCost !== undefined && uncachedCost !== undefined ? { inputCost, uncachedCost } : {}),
  };
}

async function placementCost(
  engines: Engines,
  question: PromptQuestion,
  placement: Placement,
  rates: Rates,
  pause: Pause,
): Promise<PlacementCost | undefined> {
  const prompt = { ...question.prompt, placement };
  using series = new RequestSeries(engines, { ...question, prompt, history: '' });
  const manifests: Manifest[] = [];
  for (let turn = 0; turn < series.length; turn++) {
    const { ok, manifest } = series.request(turn, manifests.at(-1));
    if (!ok) return undefined;
    manifests.push(manifest);
    if (!(await pause())) return undefined;
  }
  return sumOf(placement, manifests, rates);
}

/** Compares both placements over ten turns; undefined if `pause` ended it or a request is invalid. */
export async function comparePlacements(
  engines: Engines,
  question: PromptQuestion,
  pause: Pause,
): Promise<PlacementComparison | undefined> {
  const { model, backend } = question.settings;
  const rates = engines.strata.modelLimits(model, { backend, now: question.now });
  const costs: PlacementCost[] = [];
  for (const placement of placements) {
    const cost = await placementCost(engines, question, placement, rates, pause);
    if (!cost) return undefined;
    costs.push(cost);
  }
  const { implicitCacheMinimum, price } = rates;
  return { costs, implicitCacheMinimum, ...(price ? { price } : {}) };
}

function templateReports(engines: Engines, { prompt, now }: PromptQuestion): TemplateReport[] {
  const variables = variablesAt(engines.templates, prompt, now, 'a message');
  const report = (id: TemplateReport['id'], source: string) =>
    templateReport(engines.templates, { id, source, variables, now });
  // The default templates test whether a variable is defined, so that an undefined one is no problem.
  const layer = (id: 'static' | 'dynamic') => {
    if (prompt[id] !== '') return report(id, prompt[id]);
    using template = engines.templates.defaultTemplate(id);
    return { ...report(id, template.source), problems: [] };
  };
  return [layer('static'), layer('dynamic')];
}

const failureOf = (diagnostics: { severity: string; message: string }[]) =>
  diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'The request is invalid.';

// Assembles the request of the newest message, and compares it with the one before.
function requestOf(series: RequestSeries) {
  if (series.length === 0) throw new Error('The conversation has no message of the user.');
  const turn = series.length - 1;
  const before = turn > 0 ? series.request(turn - 1) : undefined;
  const assembled = series.request(turn, before?.manifest);
  const { ok, body, manifest, diagnostics } = assembled;
  if (!ok) return { failure: failureOf(diagnostics) };
  const change = before && requestChange(series, { turn, before, after: assembled });
  return { request: { body, manifest, diagnostics }, ...(change ? { change } : {}) };
}

/** Judges a prompt. Whatever the user writes is a problem in the result, never an exception. */
export function analyzePrompt(engines: Engines, question: PromptQuestion): PromptAnalysis {
  const { settings, now } = question;
  const { model, backend } = settings;
  const { implicitCacheMinimum } = engines.strata.modelLimits(model, { backend, now });
  const found = { templates: templateReports(engines, question), implicitCacheMinimum };
  try {
    using series = new RequestSeries(engines, question);
    return { ...found, ...requestOf(series) };
  } catch (failure) {
    return { ...found, failure: messageOf(failure) };
  }
}
