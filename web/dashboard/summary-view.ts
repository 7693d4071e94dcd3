// Writes numbers for people.
import { element } from '../ui/dom.js';
import {
  quantile,
  ownRoutes,
  type Bucket,
  type Latency,
  type ModelSummary,
  type Summary,
  type ThreadSummary,
} from './summary.js';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const dollars = (digits: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...digits });
const cents = dollars({ maximumFractionDigits: 2 });
const lessThanCents = dollars({ maximumSignificantDigits: 2 });

/** Formats a count: `1,024`. */
export const count = (value: number): string => whole.format(value);

/** Formats a count with its unit: `1 request`, `1,024 requests`. */
export const amount = (value: number, unit: string): string =>
  `${count(value)} ${unit}${value === 1 ? '' : 's'}`;

/** Formats an amount of money: `$1.25`, `$0.0012`. */
export const money = (usd: number): string =>
  (usd > 0 && usd < 0.01 ? lessThanCents : cents).format(usd);

/** Formats a share: `37 %`. A share that is not nothing is not `0 %`. */
export function percent(part: number, all: number): string {
  if (all === 0) return '–';
  const share = (100 * part) / all;
  if (share > 0 && share < 1) return '< 1 %';
  return `${Math.floor(share)} %`;
}

/** Formats a time in seconds: `250 ms`, `1.2 s`. undefined is unknown, Infinity above what is measured. */
export function duration(seconds: number | undefined, largest: number): string {
  if (seconds === undefined) return '–';
  if (seconds === Infinity) return `over ${largest} s`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

/** Formats the time of the day. */
export const timeOfDay = (date: Date): string => date.toLocaleTimeString('en-GB');

/** Formats a date with its time. */
export const dateAndTime = (date: Date): string =>
  date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A cell: a text, or an element such as a link. */
type Cell = string | HTMLElement;

/** A column. Numbers stand on the right. */
interface Column {
  title: string;
  isNumber?: boolean;
}

const classOf = ({ isNumber }: Column) => (isNumber ? 'number' : '');

function head(columns: readonly Column[]): HTMLElement {
  const cells = columns.map((column) =>
    element('th', { scope: 'col', className: classOf(column) }, column.title),
  );
  return element('thead', {}, element('tr', {}, ...cells));
}

function row(columns: readonly Column[], cells: readonly Cell[]): HTMLElement {
  const written = cells.map((cell, index) => {
    const className = classOf(columns[index] ?? { title: '' });
    if (index === 0) return element('th', { scope: 'row', className }, cell);
    return element('td', { className }, cell);
  });
  return element('tr', {}, ...written);
}

/** Returns a table. A wide one scrolls by itself, also with the keyboard. */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): HTMLElement {
  const body = element('tbody', {}, ...rows.map((cells) => row(columns, cells)));
  const written = element('table', { ariaLabel: label }, head(columns), body);
  return element(
    'div',
    { className: 'wide', tabIndex: 0, role: 'region', ariaLabel: label },
    written,
  );
}

/** Returns a section with a heading. `nothing` stands where there is no content. */
export function panel(title: string, ...content: (Node | string)[]): HTMLElement {
  const id = `panel-${title.toLowerCase().replace(/\W+/g, '-')}`;
  const heading = element('h2', { id }, title);
  const section = element('section', {}, heading, ...content);
  section.setAttribute('aria-labelledby', id);
  return section;
}

/** Returns a soft note. */
export const note = (...content: (Node | string)[]): HTMLElement =>
  element('p', { className: 'note' }, ...content);

const shares = [0.5, 0.9, 0.99];

// The buckets without the empty ones at both ends.
function filled({ buckets }: Latency): Bucket[] {
  const isFilled = ({ count: values }: Bucket) => values > 0;
  return buckets.slice(buckets.findIndex(isFilled), buckets.findLastIndex(isFilled) + 1);
}

const nameOf = ({ above, upTo }: Bucket) => (upTo === Infinity ? `> ${above} s` : `≤ ${upTo} s`);

function bars(latency: Latency): HTMLElement[] {
  const buckets = filled(latency);
  const most = Math.max(...buckets.map((bucket) => bucket.count));
  const written = buckets.map((bucket) => {
    const bar = element('span', { title: `${nameOf(bucket)}: ${count(bucket.count)}` });
    bar.style.height = `${(100 * bucket.count) / most}%`;
    return bar;
  });
  const label = buckets.map((bucket) => `${nameOf(bucket)}: ${count(bucket.count)}`);
  const axis = element(
    'div',
    { className: buckets.length > 8 ? 'axis dense' : 'axis', ariaHidden: 'true' },
    ...buckets.map((bucket) => element('span', {}, nameOf(bucket).replace(' s', ''))),
  );
  const chart = { className: 'bars', role: 'img', ariaLabel: label.join(', ') };
  return [element('div', chart, ...written), axis];
}

/** Returns the table and the bars of a histogram. `unit` names what was measured. */
function latencyView(latency: Latency, label: string, unit: string): HTMLElement[] {
  if (latency.count === 0) return [note(`No ${unit} yet.`)];
  const largest = latency.buckets.at(-1)?.above ?? 0;
  const columns = ['Median', '90 %', '99 %', 'Mean'].map((title) => ({ title, isNumber: true }));
  const values = shares.map((share) => duration(quantile(latency, share), largest));
  const cells = [amount(latency.count, unit), ...values, duration(latency.mean, largest)];
  return [table(label, [{ title: 'Of' }, ...columns], [cells]), ...bars(latency)];
}

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
