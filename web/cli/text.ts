// Why this file exists: findings for people: where, what, what Google answers, what helps, and the place.
import type { Checked, Finding, LocatedDiagnostic } from './check.js';
import type { Colours } from './colours.js';

const width = 88;

// What a terminal would take as a command stays visible and harmless.
const harmless = (text: string) => text.replace(/\p{Cc}/gu, '\u00b7');

function heading({ told }: Finding, { bold, red, yellow, cyan, green }: Colours): string {
  const { file, line, column, severity, code, path, request, repaired } = told;
  const paint = { error: red, warning: yellow, info: cyan }[severity];
  const word = repaired ? green('repaired') : paint(severity);
  const of = request === undefined ? '' : ` (${request})`;
  const place = bold(harmless(`${file}:${line}:${column}`));
  return `${place}${of} ${word} ${code} ${harmless(path || '/')}`;
}

function block(finding: Finding, colours: Colours): string {
  const { message, upstream, fix, repaired } = finding.told;
  const { dim } = colours;
  const rows = [heading(finding, colours), `  ${harmless(message)}`];
  if (upstream !== undefined) rows.push(`  ${dim('Google:')} ${harmless(upstream)}`);
  if (fix !== undefined) rows.push(`  ${dim(repaired ? 'repair:' : 'fix:')} ${harmless(fix)}`);
  const { text, mark } = finding.lines.excerpt(finding.at, width);
  rows.push(`  ${dim('|')} ${harmless(text)}`, `  ${dim('|')} ${' '.repeat(mark)}^`);
  return rows.join('\n');
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function summary(told: LocatedDiagnostic[], requests: number): string {
  const count = (severity: string) =>
    told.filter((found) => found.severity === severity && !found.repaired).length;
  const parts = [plural(count('error'), 'error'), plural(count('warning'), 'warning')];
  const infos = count('info');
  const repairs = told.filter(({ repaired }) => repaired).length;
  if (infos > 0) parts.push(`${infos} info`);
  if (repairs > 0) parts.push(`${repairs} repaired`);
  return `${parts.join(', ')} in ${plural(requests, 'request')}`;
}

/** All findings as text, with a line at the end that sums up. */
export function textReport(checked: Checked[], colours: Colours): string {
  const findings = checked.flatMap((one) => one.findings);
  const blocks = findings.map((found) => block(found, colours));
  const last = summary(
    findings.map(({ told }) => told),
    checked.length,
  );
  return [...blocks, last].join('\n\n') + '\n';
}
