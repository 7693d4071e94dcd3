// Why this file exists: one request: its facts, what lint says, the experiment, and its four layers.
import type { Diagnostic } from '../index.js';
import { findingsView, isTrouble, without } from './diagnostics-view.js';
import { amount, count, element, folded } from './dom.js';
import { experimentView } from './experiment.js';
import { fieldsView, layerView } from './layer-view.js';
import { spansOf, type Span } from './layers.js';
import type { SentRequest } from './session.js';
import { legend, sizeBar } from './size-bar.js';

function prefixFact({ body, manifest }: SentRequest): string {
  const { stablePrefixBytes } = manifest;
  if (stablePrefixBytes === 0)
    return 'None: no answered request before it begins with the same bytes.';
  const share = Math.round((100 * stablePrefixBytes) / body.length);
  return `The first ${amount(stablePrefixBytes, 'byte')}, ${share} %, are those of the last answered request.`;
}

function tokensFact({ manifest }: SentRequest): string {
  const estimate = manifest.layers.reduce((sum, { tokens }) => sum + tokens, 0);
  return `about ${count(estimate)} in the layers`;
}

// What was noticed while the body was put together, and what lint says of the body itself.
function findingsOf({ json, manifest, lint }: SentRequest): Diagnostic[] {
  const { diagnostics } = lint(json);
  return [...without(manifest.diagnostics, diagnostics), ...diagnostics];
}

function verdictView(findings: Diagnostic[]): HTMLElement {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const others = findings.length - errors;
  // The verdict is lint's: whether a request is accepted, only the API says.
  const verdict = errors > 0 ? `${amount(errors, 'error')} found` : 'no errors found';
  const rest = others > 0 ? `, ${amount(others, errors > 0 ? 'other finding' : 'finding')}` : '';
  const passed = findings.some(isTrouble) ? 'warn' : 'good';
  return element('span', { className: errors > 0 ? 'bad' : passed }, verdict + rest);
}

function factsView(request: SentRequest, findings: Diagnostic[], counted: Node): HTMLElement {
  const { body, manifest, service } = request;
  const { decision, reason } = manifest.cache;
  const facts: [string, ...(Node | string)[]][] = [
    ['Body', `${amount(body.length, 'byte')} to ${service}, for ${manifest.model}`],
    ['Tokens', tokensFact(request), counted],
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

// In the order of the body, what stands beside the layers at its place.
function layersView({ manifest }: SentRequest, spans: Span[], indented: boolean): HTMLElement {
  const views = manifest.layers.map((layer) => {
    const own = spans.filter((span) => span.layer === layer.layer);
    return layerView(layer, own, indented);
  });
  const fields = spans.filter(({ layer }) => layer === 'fields');
  if (fields.length > 0) views.splice(1, 0, fieldsView(fields, indented));
  return element('div', { className: 'layers' }, ...views);
}

function indentSwitch(show: (indented: boolean) => void): HTMLElement {
  const box = element('input', { type: 'checkbox' });
  box.onchange = () => show(box.checked);
  return element('label', { className: 'switch' }, box, ' indent for reading');
}

function layersPart(request: SentRequest, spans: Span[]): HTMLElement[] {
  const heading = element('h3', {}, 'The layers');
  const place = element('div', {}, layersView(request, spans, false));
  const choice = indentSwitch((indented) =>
    place.replaceChildren(layersView(request, spans, indented)),
  );
  return [element('div', { className: 'layers-head' }, heading, choice), place];
}

/** Everything about a request. `counted` is where the API's own count will stand once it is known. */
export function requestView(request: SentRequest, counted: Node): HTMLElement {
  const { body, json, manifest } = request;
  const spans = spansOf(body, manifest);
  const findings = findingsOf(request);
  const view = element('div', { className: 'request' });
  const reveal = (layer: string) =>
    view.querySelector(`.layer.${layer}`)?.scrollIntoView({ block: 'start' });
  view.append(sizeBar(spans, body.length, manifest.stablePrefixBytes), legend(spans, reveal));
  view.append(factsView(request, findings, counted));
  const list = findingsView(findings, json);
  if (findings.some(isTrouble)) view.append(list);
  else if (findings.length > 0) view.append(folded('Findings', list));
  view.append(experimentView(request) ?? '', ...layersPart(request, spans));
  return view;
}
