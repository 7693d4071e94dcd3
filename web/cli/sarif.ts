// Formats findings as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
import { version } from '../sdk/internal/version.js';
import type { Checked, LocatedDiagnostic } from './check.js';
import { rules } from '#generated/sarif-rules';

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

function resultOf(diagnostic: LocatedDiagnostic, ids: string[]) {
  const { code, severity, message, upstream, fix, file, line, column, path, request } = diagnostic;
  const { more } = diagnostic;
  const text = [
    message,
    upstream && `Google answers: ${upstream}`,
    fix && `Fix: ${fix}`,
    more && `And ${more} more of this kind.`,
  ];
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
