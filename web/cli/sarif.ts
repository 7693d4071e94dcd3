// Why this file exists: SARIF 2.1.0 is what code hosts and editors read findings from.
import { version } from '../sdk/base/version.js';
import type { Checked, LocatedDiagnostic } from './check.js';
import { rules } from './rules.js';

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

// What a rule says of one place has no place in what it says at all.
const general = (message: string) => message.replace(/\{\w+\}/g, '…');

function ruleOf(code: string) {
  const { message, explanation, fix } = rules[code] ?? { message: code, explanation: code };
  return {
    id: code,
    shortDescription: { text: general(message) },
    fullDescription: { text: explanation },
    help: { text: fix === undefined ? explanation : `${explanation} Repair: ${fix}.` },
  };
}

// File names are URIs here; standard input has none.
function uriOf(file: string): string {
  if (file === '<stdin>') return 'stdin';
  return file.split(/[\\/]/).map(encodeURIComponent).join('/');
}

function resultOf(told: LocatedDiagnostic, ids: string[]) {
  const { code, severity, message, upstream, fix, file, line, column, path, request } = told;
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
  const told = checked.flatMap(({ findings }) => findings.map((finding) => finding.told));
  const left = told.filter(({ repaired }) => !repaired);
  const ids = [...new Set(left.map(({ code }) => code))].sort();
  const driver = {
    name: 'prompt-strata',
    version,
    rules: ids.map(ruleOf),
  };
  const run = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    results: left.map((one) => resultOf(one, ids)),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return JSON.stringify(log, null, 2) + '\n';
}
