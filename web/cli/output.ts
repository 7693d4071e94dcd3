// Writes the result of a check: as text, JSON, SARIF, annotations of GitHub Actions, or the repaired body.
import { hasRemaining, type Checked, type Finding, type LocatedDiagnostic } from './lint.js';
import { maxSecretLength, withoutSecrets } from '../requests/remove-secrets.js';
import { countDiagnostics } from '../sdk/internal/first-diagnostics.js';
import type { Colors } from './terminal.js';
import { UsageError } from './arguments.js';
import { joinBytes } from '../sdk/internal/bytes.js';
import { unwrapped } from '../requests/requests.js';
import { version } from '../sdk/internal/version.js';
import { rules } from '#generated/sarif-rules';

/** Returns all findings as one JSON object. */
export function jsonReport(checked: Checked[]): string {
  const ok = !hasRemaining(checked, ['error']);
  const findings = checked.flatMap((one) => one.findings.map(({ diagnostic }) => diagnostic));
  return JSON.stringify({ ok, requests: checked.length, findings }, null, 2) + '\n';
}

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
  if (fix !== undefined) {
    // The rules name the option as programs pass it.
    const option = repaired ? '--dummy-signatures' : '--repair --dummy-signatures';
    const here = fix.replace('dummySignatures', option);
    rows.push(`  ${dim(repaired ? 'repair:' : 'fix:')} ${escapeControls(here)}`);
  }
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

/** Returns all findings as text, followed by a summary line; with `repair`, it says if nothing was. */
export function textReport(
  checked: Checked[],
  colors: Colors,
  { repair = false }: { repair?: boolean } = {},
): string {
  const findings = checked.flatMap((one) => one.findings);
  const blocks = findings.map((found) => block(found, colors));
  const diagnostics = findings.map(({ diagnostic }) => diagnostic);
  const last = summary(diagnostics, checked.length);
  const isRepaired = diagnostics.some(({ repaired }) => repaired);
  const unchanged = repair && blocks.length > 0 && !isRepaired ? '; nothing was repaired' : '';
  return [...blocks, last].join('\n\n') + `${unchanged}\n`;
}

/**
 * Returns the file with its requests repaired. All other bytes are unchanged.
 *
 * @throws UsageError if the requests are in several files or in a HAR file, a cURL command or a script
 */
export function repairedFile(checked: Checked[]): Uint8Array {
  const [first] = checked;
  if (!first) return new Uint8Array(0);
  const { source } = first.request;
  if (checked.some(({ request }) => request.source !== source)) {
    throw new UsageError('--repair accepts one file at a time.');
  }
  if (checked.some(({ request }) => request.quoted)) {
    throw new UsageError(
      'HAR files, cURL commands and scripts cannot be repaired as a whole: repair the body alone.',
    );
  }
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const one of checked) {
    const { start, body, wrapped } = one.request;
    const begin = start + (wrapped?.before ?? 0);
    pieces.push(source.bytes.subarray(copied, begin), unwrapped(one.request, one.body));
    copied = start + body.length - (wrapped?.after ?? 0);
  }
  return joinBytes([...pieces, source.bytes.subarray(copied)]);
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

// A rule description has no values for the placeholders of a message.
const withoutArguments = (message: string) => message.replace(/\{\w+\}/g, '…');

function ruleOf(code: string) {
  const { message, explanation, fix } = rules[code] ?? { message: code, explanation: code };
  return {
    id: code,
    shortDescription: { text: withoutArguments(message) },
    fullDescription: { text: explanation },
    help: { text: fix === undefined ? explanation : `${explanation} Repair: ${fix}.` },
  };
}

// SARIF identifies files by URI; standard input has none.
function uriOf(file: string): string {
  if (file === '<stdin>') return 'stdin';
  return file.split(/[\\/]/).map(encodeURIComponent).join('/');
}

// What a reader of a finding needs besides its place.
const linesOf = ({ message, upstream, fix, more }: LocatedDiagnostic) =>
  [
    message,
    upstream && `Google answers: ${upstream}`,
    fix && `Fix: ${fix}`,
    more && `And ${more} more of this kind.`,
  ]
    .filter(Boolean)
    .join('\n');

function resultOf(diagnostic: LocatedDiagnostic, ids: string[]) {
  const { code, severity, file, line, column, path, request } = diagnostic;
  const properties = { ...(request === undefined ? {} : { request }) };
  return {
    ruleId: code,
    ruleIndex: ids.indexOf(code),
    level: levels[severity],
    message: { text: linesOf(diagnostic) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ fullyQualifiedName: path, kind: 'member' }],
      },
    ],
    ...(request === undefined ? {} : { properties }),
  };
}

/** Returns all remaining findings as one SARIF log, with the rules that they refer to. */
export function sarifReport(checked: Checked[]): string {
  const all = checked.flatMap(({ findings }) => findings.map(({ diagnostic }) => diagnostic));
  const remaining = all.filter(({ repaired }) => !repaired);
  const ids = [...new Set(remaining.map(({ code }) => code))].sort();
  const driver = {
    name: 'prompt-strata',
    version,
    rules: ids.map(ruleOf),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    results: remaining.map((diagnostic) => resultOf(diagnostic, ids)),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return JSON.stringify(log, null, 2) + '\n';
}

// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
const commands = { error: 'error', warning: 'warning', info: 'notice' } as const;
const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string) =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns all remaining findings as workflow commands, which GitHub shows beside the lines. */
export function githubReport(checked: Checked[]): string {
  const all = checked.flatMap(({ findings }) => findings.map(({ diagnostic }) => diagnostic));
  const remaining = all.filter(({ repaired }) => !repaired);
  const lines = remaining.map((diagnostic) => {
    const { severity, code, file, line, column } = diagnostic;
    const place = `file=${escapeProperty(file)},line=${line},col=${column},title=${escapeProperty(code)}`;
    return `::${commands[severity]} ${place}::${escapeData(linesOf(diagnostic))}\n`;
  });
  return `${lines.join('')}${summary(all, checked.length)}\n`;
}
