// Shows diagnostics with the value at their path, Google's error and the fix.
import type { Diagnostic } from '../../index.js';
import { element, inline } from '../../ui/dom.js';
import { severityMark } from './words.js';
import { valueAt } from './layers.js';
import { markSignatures } from '../../ui/signatures.js';

const maxExcerpt = 400;

/** Whether a finding is a warning or an error. */
export const isProblem = ({ severity }: Diagnostic): boolean => severity !== 'info';

/** Returns the findings that are not in `known`. */
export function without(findings: Diagnostic[], known: Diagnostic[]): Diagnostic[] {
  const key = ({ code, path }: Diagnostic) => `${code} ${path}`;
  const keys = new Set(known.map(key));
  return findings.filter((finding) => !keys.has(key(finding)));
}

// Returns the value at the path as JSON; undefined for the whole body and for long values.
function excerpt(json: string, path: string): string | undefined {
  const value = path === '' ? undefined : valueAt(json, path);
  const text = value === undefined ? undefined : inline(value);
  return text !== undefined && text.length <= maxExcerpt ? text : undefined;
}

function line(term: string, text: string): HTMLElement {
  return element('p', {}, element('b', {}, term), ` ${text}`);
}

function findingView(finding: Diagnostic, json: string): HTMLElement {
  const { code, severity, path, message, upstream, fix } = finding;
  const title = element(
    'p',
    { className: 'code' },
    element('b', {}, ...severityMark(severity), code),
    ' at ',
  );
  title.append(element('code', {}, path || 'the request body'));
  const item = element('li', { className: severity }, title, element('p', {}, message));
  const value = excerpt(json, path);
  if (value !== undefined) item.append(element('pre', {}, ...markSignatures(value)));
  if (upstream) item.append(line('Google answers:', upstream));
  if (fix) item.append(line('Fix:', fix));
  return item;
}

/** Returns a list of the findings about a body, each with the value at its path. */
export function findingsView(findings: Diagnostic[], json: string): HTMLElement {
  const items = findings.map((finding) => findingView(finding, json));
  return element('ul', { className: 'findings' }, ...items);
}
