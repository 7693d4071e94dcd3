// Why this file exists: a finding is only of use with its place, what Google answers to it, and the fix.
import type { Diagnostic } from '../index.js';
import { element, inline } from './dom.js';
import { valueAt } from './layers.js';
import { markSignatures } from './signatures.js';

const longest = 400;

/** Whether a finding is more than a note. */
export const isTrouble = ({ severity }: Diagnostic): boolean => severity !== 'info';

/** The findings that `known` does not have. */
export function without(findings: Diagnostic[], known: Diagnostic[]): Diagnostic[] {
  const key = ({ code, path }: Diagnostic) => `${code} ${path}`;
  const keys = new Set(known.map(key));
  return findings.filter((finding) => !keys.has(key(finding)));
}

// What is sent where a layer's template fails; the finding says only why it does.
const insteadOf: { [path: string]: string } = {
  '/static': "The template's own text is sent in its place.",
  '/dynamic': 'The variables are sent as JSON in its place.',
};

// What stands at the finding's path; the whole body and long pieces are left out.
function excerpt(json: string, path: string): string | undefined {
  const value = path === '' ? undefined : valueAt(json, path);
  const text = value === undefined ? undefined : inline(value);
  return text !== undefined && text.length <= longest ? text : undefined;
}

function line(term: string, text: string): HTMLElement {
  return element('p', {}, element('b', {}, term), ` ${text}`);
}

function findingView(finding: Diagnostic, json: string): HTMLElement {
  const { code, severity, path, message, upstream, fix } = finding;
  const title = element('p', { className: 'code' }, element('b', {}, code), ' at ');
  title.append(element('code', {}, path || 'the whole body'));
  const item = element('li', { className: severity }, title, element('p', {}, message));
  const place = excerpt(json, path);
  if (place !== undefined) item.append(element('pre', {}, ...markSignatures(place)));
  const instead = code.startsWith('template.') ? insteadOf[path] : undefined;
  if (instead) item.append(element('p', {}, instead));
  if (upstream) item.append(line('Google answers:', upstream));
  if (fix) item.append(line('Fix:', fix));
  return item;
}

/** Findings about a body, each with what stands at its place. */
export function findingsView(findings: Diagnostic[], json: string): HTMLElement {
  const items = findings.map((finding) => findingView(finding, json));
  return element('ul', { className: 'findings' }, ...items);
}
