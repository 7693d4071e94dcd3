// Judges a prompt: its templates, the request at one message, and what changed since the request before.
import type { Engines } from './engines.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type {
  PromptAnalysis,
  PromptQuestion,
  RequestChange,
  RequestChoice,
  TemplateReport,
} from './prompt-result.js';
import { defaultTemplates } from './default-templates.js';
import { PromptValues } from './prompt-values.js';
import { readVariables } from './prompt-sources.js';
import { requestChange, type MadeRequest } from './request-change.js';
import { RequestSeries } from './request-series.js';
import { templateReport } from './template-report.js';

function templateReports(engines: Engines, { prompt, now }: PromptQuestion): TemplateReport[] {
  const variables = new PromptValues(engines, prompt).at(now, 'a message');
  const report = (id: TemplateReport['id'], source: string) =>
    templateReport(engines.templates, { id, source, variables, now });
  // The package's templates test whether a variable is defined, so that an undefined one is no problem.
  const layer = (id: 'static' | 'dynamic') =>
    prompt[id] === ''
      ? { ...report(id, defaultTemplates[id]), problems: [] }
      : report(id, prompt[id]);
  return [
    layer('static'),
    layer('dynamic'),
    ...prompt.sections.map(({ template }, index) => report(`section ${index}`, template)),
  ];
}

function make(series: RequestSeries, choice: RequestChoice, before?: MadeRequest): MadeRequest {
  const { turn } = choice;
  const assembled = series.request(turn, before?.assembled.manifest);
  return { choice, series, assembled };
}

/** The request, the one before, and what differs. */
interface Comparison {
  made: MadeRequest;
  turns: number;
  change?: RequestChange;
}

function compareWith(engines: Engines, before: MadeRequest, made: MadeRequest, title: string) {
  const change = requestChange(engines, before, made, title);
  return change ? { change } : {};
}

// Compares with the request of `question.compare`. Its newest message has the same time.
function comparePinned(
  engines: Engines,
  series: RequestSeries,
  choice: RequestChoice,
  pinned: RequestChoice,
  now: string,
): Comparison {
  const other = new RequestSeries(engines, pinned, now);
  try {
    const turn = Math.min(pinned.turn, other.length - 1);
    const before = make(other, { ...pinned, turn });
    const made = make(series, choice, before);
    const title = 'the request that you kept';
    return { made, turns: series.length, ...compareWith(engines, before, made, title) };
  } finally {
    other[dispose]();
  }
}

function compare(engines: Engines, series: RequestSeries, question: PromptQuestion): Comparison {
  const turn = Math.min(question.turn, series.length - 1);
  const choice = { ...question, turn };
  if (question.compare)
    return comparePinned(engines, series, choice, question.compare, question.now);
  if (turn === 0) return { made: make(series, choice), turns: series.length };
  const before = make(series, { ...choice, turn: turn - 1 });
  const made = make(series, choice, before);
  const title = `the request of message ${turn}`;
  return { made, turns: series.length, ...compareWith(engines, before, made, title) };
}

/** Judges a prompt. Whatever the user writes is a problem in the result, never an exception. */
export function analyzePrompt(engines: Engines, question: PromptQuestion): PromptAnalysis {
  const templates = templateReports(engines, question);
  const { error } = readVariables(question.prompt.variables);
  const { model, backend } = question.settings;
  const { implicitCacheMinimum } = engines.strata.modelLimits(model, {
    backend,
    now: question.now,
  });
  const found = {
    templates,
    implicitCacheMinimum,
    ...(error === undefined ? {} : { variablesError: error }),
  };
  let series: RequestSeries | undefined;
  try {
    series = new RequestSeries(engines, question, question.now);
    if (series.length === 0) throw new Error('The conversation has no message of the user.');
    const { made, turns, change } = compare(engines, series, question);
    const { ok, body, manifest, diagnostics } = made.assembled;
    const shown = ok
      ? { request: { body, manifest, diagnostics } }
      : { failure: failureOf(diagnostics) };
    return {
      ...found,
      ...shown,
      turns,
      turn: made.choice.turn,
      ...(ok && change ? { change } : {}),
    };
  } catch (failure) {
    return { ...found, failure: messageOf(failure), turns: 0, turn: 0 };
  } finally {
    series?.[dispose]();
  }
}

const failureOf = (diagnostics: { severity: string; message: string }[]) =>
  diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'The request is invalid.';
