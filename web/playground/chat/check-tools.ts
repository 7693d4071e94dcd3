// Checks the declared tools: their JSON, and what lint finds about their declarations.
import type { Checker, Diagnostic } from '../../check/index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { DocumentSettings, ToolDraft } from '../state/playground-document.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { declarationOf, type Declaration } from '../engine/declaration.js';

/** One thing that is wrong with a tool. */
export interface ToolProblem {
  severity: 'error' | 'warning';
  text: string;
  /** Where it is. */
  field: 'name' | 'description' | 'parameters';
  /** Whether something is not written yet. */
  isMissing?: boolean;
}

/** What is wrong with one tool. */
export interface ToolReport {
  /** In the order in which they were found. */
  problems: ToolProblem[];
  /** The parameters as `repair` would write them; undefined if it changes nothing. */
  repaired?: string;
}

interface Declared {
  index: number;
  declaration: Declaration;
}

// The place inside the schema is shown as in the field with the parameters.
const path =
  /^\/tools\/0\/functionDeclarations\/(\d+)(?:\/(name|description)(?![^/])|\/parameters(?:JsonSchema)?)?(.*)$/;

const bodyOf = (declared: Declared[]) =>
  JSON.stringify({
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    tools: [{ functionDeclarations: declared.map(({ declaration }) => declaration) }],
  });

const errorOf = (field: ToolProblem['field'], text: string): ToolProblem => ({
  severity: 'error',
  text,
  field,
});

const fieldNamed = (name: string | undefined): ToolProblem['field'] =>
  name === 'name' || name === 'description' ? name : 'parameters';

function problemOf(
  { code, severity, message }: Diagnostic,
  name: string | undefined,
  place: string,
): ToolProblem[] {
  if (severity === 'info') return [];
  const at = place === '' ? '' : ` at ${place}`;
  return [{ severity, text: `${code}${at}: ${message}`, field: fieldNamed(name) }];
}

// The name of a parameter's schema differs between the two dialects.
const parametersText = ({ parameters, parametersJsonSchema }: Declaration) => {
  const schema = parametersJsonSchema ?? parameters;
  return schema === undefined ? '' : JSON.stringify(schema, null, 2);
};

interface RepairedBody {
  tools: [{ functionDeclarations: Declaration[] }];
}

function addFindings(
  checker: Checker,
  { model, backend }: DocumentSettings,
  declared: Declared[],
  reports: ToolReport[],
): void {
  const body = bodyOf(declared);
  const options = { model, backend, now: new Date().toISOString() };
  for (const finding of checker.lint(body, options).diagnostics) {
    const [, at, name, place = ''] = path.exec(finding.path) ?? [];
    const report = reports[declared[Number(at)]?.index ?? -1];
    report?.problems.push(...problemOf(finding, name, place));
  }
  const text = decodeUtf8(checker.repair(body, options).body);
  const [tool] = (JSON.parse(text) as RepairedBody).tools;
  for (const [at, { index, declaration }] of declared.entries()) {
    const after = tool.functionDeclarations[at];
    const report = reports[index];
    if (!after || !report) continue;
    const repaired = parametersText(after);
    if (repaired !== parametersText(declaration)) report.repaired = repaired;
  }
}

/** Returns the names that several tools have. */
function repeatedNames(tools: readonly ToolDraft[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of tools) (seen.has(name) ? repeated : seen).add(name);
  return repeated;
}

const unnamed: ToolProblem = {
  ...errorOf('name', 'Give the tool a name. Without one, it is not declared.'),
  isMissing: true,
};

function readOne(draft: ToolDraft, repeated: ReadonlySet<string>): [ToolReport, Declaration?] {
  if (draft.name.trim() === '') return [{ problems: [unnamed] }];
  const problems = repeated.has(draft.name)
    ? [errorOf('name', `Two tools have the name ${draft.name}. Names must differ.`)]
    : [];
  try {
    return [{ problems }, declarationOf(draft)];
  } catch (error) {
    return [{ problems: [...problems, errorOf('parameters', `Parameters: ${messageOf(error)}`)] }];
  }
}

/** Returns a report for each tool of the settings. */
export function checkTools(checker: Checker, settings: DocumentSettings): ToolReport[] {
  const { tools } = settings;
  const declared: Declared[] = [];
  const repeated = repeatedNames(tools);
  const reports = tools.map((draft, index) => {
    const [report, declaration] = readOne(draft, repeated);
    if (declaration) declared.push({ index, declaration });
    return report;
  });
  if (declared.length > 0) addFindings(checker, settings, declared, reports);
  return reports;
}
