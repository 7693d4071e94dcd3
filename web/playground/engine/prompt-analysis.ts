// Judges a prompt: its templates, the request at one message, and what changed since the request before.
import { dispose, withDisposable } from '../../sdk/internal/lifetime.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { Engines, PromptAnalysis, PromptQuestion, TemplateReport } from './prompt-result.js';
import { PromptValues } from './prompt-values.js';
import { requestChange } from './request-change.js';
import { RequestSeries } from './request-series.js';
import { templateReport } from './template-report.js';

function templateReports(engines: Engines, { prompt, now }: PromptQuestion): TemplateReport[] {
  const variables = new PromptValues(engines, prompt).at(now, 'a message');
  const report = (id: TemplateReport['id'], source: string) =>
    templateReport(engines.templates, { id, source, variables, now });
  // The default templates test whether a variable is defined, so that an undefined one is no problem.
  const layer = (id: 'static' | 'dynamic') => {
    if (prompt[id] !== '') return report(id, prompt[id]);
    return withDisposable(engines.templates.defaultTemplate(id), ({ source }) => ({
      ...report(id, source),
      problems: [],
    }));
  };
  return [
    layer('static'),
    layer('dynamic'),
    ...prompt.sections.map(({ template }, index) => report(`section ${index}`, template)),
  ];
}

const failureOf = (diagnostics: { severity: string; message: string }[]) =>
  diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'The request is invalid.';

// Assembles the request, and compares it with the one of the message before.
function requestOf(series: RequestSeries, question: PromptQuestion) {
  if (series.length === 0) throw new Error('The conversation has no message of the user.');
  const turn = Math.min(question.turn, series.length - 1);
  const before = turn > 0 ? series.request(turn - 1) : undefined;
  const assembled = series.request(turn, before?.manifest);
  const place = { turns: series.length, turn };
  const { ok, body, manifest, diagnostics } = assembled;
  if (!ok) return { ...place, failure: failureOf(diagnostics) };
  const change = before && requestChange(series, { turn, before, after: assembled });
  return { ...place, request: { body, manifest, diagnostics }, ...(change ? { change } : {}) };
}

/** Judges a prompt. Whatever the user writes is a problem in the result, never an exception. */
export function analyzePrompt(engines: Engines, question: PromptQuestion): PromptAnalysis {
  const { settings, now } = question;
  const { model, backend } = settings;
  const { implicitCacheMinimum } = engines.strata.modelLimits(model, { backend, now });
  const found = { templates: templateReports(engines, question), implicitCacheMinimum };
  let series: RequestSeries | undefined;
  try {
    series = new RequestSeries(engines, question, now);
    return { ...found, ...requestOf(series, question) };
  } catch (failure) {
    return { ...found, failure: messageOf(failure), turns: 0, turn: 0 };
  } finally {
    series?.[dispose]();
  }
}
