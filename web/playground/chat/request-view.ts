// Shows one request: its properties, the lint findings, the experiment, and the four layers.
import type { Diagnostic, Manifest } from '../../index.js';
import { findingsView, isProblem, without } from '../engine/diagnostics-view.js';
import { amount, count, element, folded } from '../../ui/dom.js';
import { breakItView } from './experiments/break-it.js';
import { fieldsView, layerView } from './layer-view.js';
import { spansOf, type Span } from '../engine/layers.js';
import { rawAnswerView } from './raw-answer-view.js';
import type { SentRequest } from './session.js';
import { legend, sizeBar } from './size-bar.js';

function prefixFact({ body, manifest }: SentRequest): string {
  const { stablePrefixBytes } = manifest;
  if (stablePrefixBytes === 0)
    return 'None: no earlier answered request starts with the same bytes.';
  const share = Math.round((100 * stablePrefixBytes) / body.length);
  return `The first ${amount(stablePrefixBytes, 'byte')} (${share} %) match the last answered request.`;
}

function tokensFact({ manifest }: SentRequest): string {
  const estimate = manifest.layers.reduce((sum, { tokens }) => sum + tokens, 0);
  return `about ${count(estimate)} in the layers`;
}

// Returns the diagnostics of the assembly, followed by those of lint.
function findingsOf({ json, manifest, lint }: SentRequest): Diagnostic[] {
  const { diagnostics } = lint(json);
  return [...without(manifest.diagnostics, diagnostics), ...diagnostics];
}

function verdictView(findings: Diagnostic[]): HTMLElement {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const others = findings.length - errors;
  // States only what lint found: the API may still reject the request.
  const verdict = errors > 0 ? `${amount(errors, 'error')} found` : 'no errors found';
  const rest = others > 0 ? `, ${amount(others, errors > 0 ? 'other finding' : 'finding')}` : '';
  const passed = findings.some(isProblem) ? 'warn' : 'good';
  return element('span', { className: errors > 0 ? 'bad' : passed }, verdict + rest);
}

function factsView(request: SentRequest, findings: Diagnostic[], tokenCount: Node): HTMLElement {
  const { body, manifest, service } = request;
  const { decision, reason } = manifest.cache;
  const facts: [string, ...(Node | string)[]][] = [
    ['Body', `${amount(body.length, 'byte')} to ${service}, for ${manifest.model}`],
    ['Tokens', tokensFact(request), tokenCount],
    ['Stable prefix', prefixFact(request)],
    ['Cache', `${decision.replaceAll('_', ' ')}: ${reason}`],
    ['Lint', verdictView(findings)],
  ];
  const list = element('dl');
  for (const [term, ...texts] of facts) {
    list.append(element('dt', {}, term), element('dd', {}, ...texts));
  }
  return list;
}

interface Run {
  layer: Span['layer'];
  spans: Span[];
}

// Returns the neighbors of one layer together. The dynamic layer may stand between two parts of the history.
function runsOf(spans: Span[]): Run[] {
  const runs: Run[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    if (last?.layer === span.layer) last.spans.push(span);
    else runs.push({ layer: span.layer, spans: [span] });
  }
  return runs;
}

// Adds the layers without bytes, each behind the layer before it.
function addEmptyLayers(runs: Run[], manifest: Manifest): void {
  manifest.layers.forEach(({ layer }, index) => {
    if (runs.some((run) => run.layer === layer)) return;
    const before = manifest.layers[index - 1]?.layer;
    const place = runs.findLastIndex((run) => run.layer === before) + 1;
    runs.splice(place, 0, { layer, spans: [] });
  });
}

// Shows the layers and the other fields in the order of the body.
function layersView({ manifest }: SentRequest, spans: Span[], indented: boolean): HTMLElement {
  const runs = runsOf(spans);
  addEmptyLayers(runs, manifest);
  const views = runs.map(({ layer, spans: own }, index) => {
    const row = manifest.layers.find((one) => one.layer === layer);
    if (!row) return fieldsView(own, indented);
    const isContinued = runs.findIndex((run) => run.layer === layer) < index;
    return layerView(row, own, { indented, isContinued });
  });
  return element('div', { className: 'layers' }, ...views);
}

function indentSwitch(show: (indented: boolean) => void): HTMLElement {
  const box = element('input', { type: 'checkbox' });
  box.onchange = () => show(box.checked);
  return element('label', { className: 'switch' }, box, ' indent for reading');
}

function layersSection(request: SentRequest, spans: Span[]): HTMLElement[] {
  const heading = element('h3', {}, 'The layers');
  const place = element('div', {}, layersView(request, spans, false));
  const toggle = indentSwitch((indented) =>
    place.replaceChildren(layersView(request, spans, indented)),
  );
  return [element('div', { className: 'layers-head' }, heading, toggle), place];
}

/** Shows a request. `tokenCount` is the node that will show the API's token count. */
export function requestView(request: SentRequest, tokenCount: Node): HTMLElement {
  const { body, json, manifest } = request;
  const spans = spansOf(body, manifest);
  const findings = findingsOf(request);
  const view = element('div', { className: 'request' });
  const reveal = (layer: string) =>
    view.querySelector(`.layer.${layer}`)?.scrollIntoView({ block: 'start' });
  view.append(sizeBar(spans, body.length, manifest.stablePrefixBytes), legend(spans, reveal));
  view.append(factsView(request, findings, tokenCount));
  const list = findingsView(findings, json);
  if (findings.some(isProblem)) view.append(list);
  else if (findings.length > 0) view.append(folded('Findings', list));
  view.append(breakItView({ ...request, model: manifest.model }));
  const layers = element('div', {}, ...layersSection(request, spans));
  view.append(element('div', { className: 'exchange' }, layers, rawAnswerView(request.answer)));
  return view;
}
