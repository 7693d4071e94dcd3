// Formats findings as text: position, message, Google's error, fix, and an excerpt.
import { maxSecretLength, withoutSecrets } from '../requests/remove-secrets.js';
import { countDiagnostics } from '../sdk/internal/messages.js';
import type { Checked, Finding, LocatedDiagnostic } from './check.js';
import type { Colors } from './colors.js';

const width = 88;

// Replaces control characters, which a terminal would interpret.
const escapeControls = (text: string) => text.replace(/\p{Cc}/gu, '\u00b7');

function heading({ diagnostic }: Finding, { bold, red, yellow, cyan, green }: Colors): string {
  const { file, line, column, severity, code, path, request, repaired } = diagnostic;
  const paint = { error: red, warning: yellow, info: cyan }[severity];
  const label = repaired ? green('repaired') : paint(severity);
  const suffix = request === undefined ? '' : ` (${request})`;
  const place = bold(escapeControls(`${file}:${line}:${column}`));
  return `${place}${suffix} ${label} ${code} ${escapeControls(path || '/')}`;
}

/** Returns the characters of the line around a finding, and the index of the finding in them. */
function excerptOf({ request, at }: Finding): { text: string; mark: number } {
  const { text } = request;
  // Far enough on both sides to contain any key or token completely, so that it is redacted.
  const from = at + 1 - Math.min(request.place(at).column, maxSecretLength);
  const newline = text.indexOf('\n', at);
  const end = Math.min(newline < 0 ? text.length : newline, at + width + maxSecretLength);
  const before = withoutSecrets(text.slice(from, at).trimStart()).slice(-Math.floor(width / 3));
  const after = withoutSecrets(text.slice(at, end).trimEnd());
  const shown = (before + after).replace(/[\t\r]/g, ' ').slice(0, width);
  return { text: shown, mark: before.length };
}

function block(finding: Finding, colors: Colors): string {
  const { message, upstream, fix, repaired, more } = finding.diagnostic;
  const { dim } = colors;
  const rows = [heading(finding, colors), `  ${escapeControls(message)}`];
  if (upstream !== undefined) rows.push(`  ${dim('Google:')} ${escapeControls(upstream)}`);
  if (fix !== undefined)
    rows.push(`  ${dim(repaired ? 'repair:' : 'fix:')} ${escapeControls(fix)}`);
  const { text, mark } = excerptOf(finding);
  rows.push(`  ${dim('|')} ${escapeControls(text)}`, `  ${dim('|')} ${' '.repeat(mark)}^`);
  if (more !== undefined) rows.push(`  … and ${more} more of this kind`);
  return rows.join('\n');
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function summary(diagnostics: LocatedDiagnostic[], requests: number): string {
  const count = (severity: string) =>
    countDiagnostics(diagnostics.filter((found) => found.severity === severity && !found.repaired));
  const parts = [plural(count('error'), 'error'), plural(count('warning'), 'warning')];
  const infos = count('info');
  const repairs = countDiagnostics(diagnostics.filter(({ repaired }) => repaired));
  if (infos > 0) parts.push(`${infos} info`);
  if (repairs > 0) parts.push(`${repairs} repaired`);
  return `${parts.join(', ')} in ${plural(requests, 'request')}`;
}

/** Returns all findings as text, followed by a summary line. */
export function textReport(checked: Checked[], colors: Colors): string {
  const findings = checked.flatMap((one) => one.findings);
  const blocks = findings.map((found) => block(found, colors));
  const last = summary(
    findings.map(({ diagnostic }) => diagnostic),
    checked.length,
  );
  return [...blocks, last].join('\n\n') + '\n';
}
