// Shows a summary: figures, and a panel for each kind of counts.
import { element } from '../playground/dom.js';
import { amount, count, money, percent } from './format.js';
import { latencyView } from './latency-view.js';
import { ownRoutes, type ModelSummary, type Summary, type ThreadSummary } from './summary.js';
import { note, panel, table } from './table.js';

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const number = (title: string) => ({ title, isNumber: true });

function figure(name: string, value: string, about: string): HTMLElement {
  return element(
    'div',
    {},
    element('dt', {}, name),
    element('dd', { className: 'value' }, value),
    element('dd', { className: 'note' }, about),
  );
}

const tokensOf = ({ input, output }: ModelSummary) => input + output;

const unpricedTokens = (models: readonly ModelSummary[]) =>
  sum(models.filter(({ cost }) => cost === undefined).map(tokensOf));

function costNote({ models }: Summary): string {
  const tokens = unpricedTokens(models);
  if (tokens === 0) return 'at list prices';
  return `without ${amount(tokens, 'token')} of models whose price is not known`;
}

/** Returns the figures at the top. */
export function figures(summary: Summary): HTMLElement[] {
  const { requests, routes, avoided, badRequests, restored, placeholders, models } = summary;
  const input = sum(models.map((model) => model.input));
  const cached = sum(models.map((model) => model.cached));
  const own = sum(
    routes.filter(({ route }) => ownRoutes.includes(route)).map((route) => route.count),
  );
  const found = sum(summary.findings.map((finding) => finding.found));
  return [
    figure('Requests', count(requests), `and ${count(own)} for health and metrics`),
    figure('400s avoided', count(avoided), `${count(badRequests)} reached a client`),
    figure('Repairs', count(summary.repaired), `of ${amount(found, 'finding')}`),
    figure('Signatures restored', count(restored), amount(placeholders, 'placeholder')),
    figure('Cached input', percent(cached, input), `${count(cached)} of ${count(input)} tokens`),
    figure('Cost', money(summary.cost), costNote(summary)),
  ];
}

const statusCell = (status: string) =>
  element('span', { className: Number(status) >= 400 ? 'bad' : '' }, status);

function routesPanel({ routes }: Summary): HTMLElement {
  if (routes.length === 0) return panel('Requests', note('No request yet.'));
  const rows = routes.map(({ route, status, count: requests }) => [
    route,
    statusCell(status),
    count(requests),
  ]);
  const columns = [{ title: 'Route' }, number('Status'), number('Requests')];
  return panel('Requests', table('Requests by route and status', columns, rows));
}

const ruleLink = (code: string) =>
  element('a', { href: `./dashboard/rules.html#${encodeURIComponent(code)}` }, code);

function findingsPanel({ findings }: Summary): HTMLElement {
  if (findings.length === 0) return panel('Findings', note('No request had a finding.'));
  const rows = findings.map(({ code, found, repaired }) => [
    ruleLink(code),
    count(found),
    count(repaired),
  ]);
  const columns = [{ title: 'Rule' }, number('Found'), number('Repaired')];
  return panel('Findings', table('Findings by code', columns, rows));
}

function modelsPanel({ models }: Summary): HTMLElement {
  if (models.length === 0) return panel('Tokens and cost', note('No answer reported tokens yet.'));
  const rows = models.map(({ model, input, cached, output, cost }) => [
    model,
    cost === undefined ? 'not known' : money(cost),
    count(input),
    percent(cached, input),
    count(output),
  ]);
  const columns = ['Cost', 'Input', 'Cached', 'Output'].map(number);
  const written = table('Tokens and cost by model', [{ title: 'Model' }, ...columns], rows);
  const about =
    unpricedTokens(models) === 0
      ? []
      : [note('“other” is every model whose price this version does not know.')];
  return panel('Tokens and cost', written, ...about);
}

function threadsPanel({ sends, failures, latency }: ThreadSummary): HTMLElement {
  if (sends.length === 0) return panel('Threads', note('No send yet.'));
  const outcomes = sends.map(({ outcome, count: times }) => [outcome, count(times)]);
  const codes = failures.map(({ code, count: times }) => [code, count(times)]);
  return panel(
    'Threads',
    table('Sends by outcome', [{ title: 'Sends' }, number('Count')], outcomes),
    ...(codes.length === 0
      ? []
      : [table('Failed sends by code', [{ title: 'Failure' }, number('Count')], codes)]),
    ...latencyView(latency, 'Duration of sends', 'send'),
  );
}

function latencyPanel({ upstream }: Summary): HTMLElement {
  const about = note('The time until the answer of Gemini begins.');
  return panel('Latency', about, ...latencyView(upstream, 'Latency of Gemini', 'request'));
}

/** Returns the panels below the figures. */
export function panels(summary: Summary): HTMLElement[] {
  return [
    routesPanel(summary),
    findingsPanel(summary),
    modelsPanel(summary),
    latencyPanel(summary),
    ...(summary.threads ? [threadsPanel(summary.threads)] : []),
  ];
}
