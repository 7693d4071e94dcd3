// Says in words what the lint engine returns.
import { amount, count, element } from '../../ui/dom.js';
import { severityWords } from '../../ui/severity.js';
import type {
  Evidence,
  FoundRequest,
  LintFinding,
  TextForm,
  TimelineContent,
} from './lint-result.js';
import { countDiagnostics } from '../../sdk/internal/first-diagnostics.js';

type FindingCounts = Pick<FoundRequest, 'errors' | 'warnings' | 'notes'>;
type Severity = LintFinding['severity'];

export { severityWords } from '../../ui/severity.js';

/** The severities, worst first. */
export const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** Returns what stands before a finding: its sign, and the word for it that screen readers say. */
export function severityMark(severity: Severity): HTMLElement[] {
  const { sign, one } = severityWords[severity];
  const mark = element('span', { className: 'sign', ariaHidden: 'true' }, sign);
  return [mark, element('span', { className: 'hidden' }, `${one}: `)];
}

/** How the severity of a rule is known. */
export const evidenceWords: Record<Evidence, string> = {
  documented: 'Documented by Google.',
  recorded: 'Recorded: the API answered so.',
  reported: 'Reported by users of the API.',
  inferred: 'Inferred: no answer of the API is known.',
};

/** What the text is. */
export const formWords: Record<TextForm, string> = {
  empty: 'Empty',
  text: 'Not a request',
  body: 'Request body',
  contents: 'Contents',
  jsonl: 'JSON Lines',
  har: 'HAR file',
  curl: 'cURL command',
  openai: 'OpenAI messages',
};

/** What is known about a history that ends with a Content. */
export const verdictWords: Record<TimelineContent['verdict'], string> = {
  accepted: 'A request that ends here breaks no rule.',
  open: 'Nothing is wrong until here. The model or the results of its calls come next.',
  refused: 'A request that ends here is refused.',
};

/** Says how many findings a request has: `2 errors, 1 note`. */
export function summaryOf({ errors, warnings, notes }: FindingCounts): string {
  const counts: [number, string][] = [
    [errors, severityWords.error.one],
    [warnings, severityWords.warning.one],
    [notes, severityWords.info.one],
  ];
  const words = counts.map(([number, word]) => (number > 0 ? amount(number, word) : ''));
  return words.filter(Boolean).join(', ') || 'No findings';
}

/** Says how many findings there are of each severity. */
export function countsOf(findings: readonly Pick<LintFinding, 'severity' | 'more'>[]): string {
  const count = (wanted: Severity) =>
    countDiagnostics(findings.filter(({ severity }) => severity === wanted));
  return summaryOf({ errors: count('error'), warnings: count('warning'), notes: count('info') });
}

/** Names a request with its counts: `entry 3, generateContent: 2 errors`. */
export function requestWords({ label, errors, warnings }: FoundRequest): string {
  const counts = [
    errors > 0 ? amount(errors, 'error') : '',
    warnings > 0 ? amount(warnings, 'warning') : '',
  ];
  return `${label}: ${counts.filter(Boolean).join(', ') || 'no errors'}`;
}

/** Formats a size for people: `1.5 MB`. */
export function sizeWords(units: number): string {
  if (units < 1000) return amount(units, 'character');
  if (units < 1e6) return `${count(Math.round(units / 100) / 10)} thousand characters`;
  return `${count(Math.round(units / 1e5) / 10)} million characters`;
}

/** Returns the nodes of a text in which `…` marks code. */
export function withCode(text: string): (Node | string)[] {
  return text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? element('code', {}, piece) : piece));
}

const placeholderNote = ' (only with dummySignatures)';

/** Returns what a repair does, as a sentence. */
export function fixWords(fix: string): (Node | string)[] {
  const capital = fix.charAt(0).toUpperCase() + fix.slice(1);
  if (capital.endsWith(placeholderNote)) {
    const text = capital.slice(0, -placeholderNote.length);
    return withCode(`${text}. Answers may be worse than with the real signature.`);
  }
  return withCode(/[.!?]$/.test(capital) ? capital : `${capital}.`);
}
