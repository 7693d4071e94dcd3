// Why this file exists: SARIF 2.1.0 is what code hosts and editors read findings from.
import { version } from '../sdk/version.js';
import type { Checked, Finding } from './check.js';
import { rules } from './rules.js';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

function ruleOf(code: string) {
  const { message, explanation, fix } = rules[code] ?? { message: code, explanation: code };
  return {
    id: code,
    shortDescription: { text: message },
    fullDescription: { text: explanation },
    help: { text: fix === undefined ? explanation : `${explanation} Repair: ${fix}.` },
  };
}

// File names are URIs here; standard input has none.
function uriOf(file: string): string {
  if (file === '<stdin>') return 'stdin';
  return file.split(/[\\/]/).map(encodeURIComponent).join('/');
}

function resultOf(finding: Finding, ids: string[]) {
  const { code, severity, message, upstream, fix, file, line, column, path, request } = finding;
  const text = [message, upstream && `Google answers: ${upstream}`, fix && `Fix: ${fix}`];
  const properties = { ...(request === undefined ? {} : { request }) };
  return {
    ruleId: code,
    ruleIndex: ids.indexOf(code),
    level: levels[severity],
    message: { text: text.filter(Boolean).join('\n') },
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

/** All findings as one SARIF log, with the catalogue's rows for the rules that were found. */
export function sarifReport(checked: Checked[]): string {
  const findings = checked.flatMap((one) => one.findings).filter(({ mended }) => !mended);
  const ids = [...new Set(findings.map(({ code }) => code))].sort();
  const driver = {
    name: 'prompt-strata',
    version,
    rules: ids.map(ruleOf),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => resultOf(finding, ids)),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return JSON.stringify(log, null, 2) + '\n';
}
