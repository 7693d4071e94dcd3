// Says in words what the lint engine returns.
import type { Backend } from '../../index.js';
import { amount, count, severityWords } from '../../ui/format.js';
import type { Analysis, Evidence, FoundRequest, LintFinding, TextForm } from './lint-result.js';

type FindingCounts = Pick<FoundRequest, 'errors' | 'warnings' | 'notes'>;

/** The services by name. */
export const backendNames: Record<Backend, string> = { gemini: 'Gemini API', vertex: 'Vertex AI' };

/** How the severity of a rule is known. */
export const evidenceWords: Record<Evidence, string> = {
  documented: 'Documented by Google.',
  recorded: 'Recorded: the API answered so.',
  reported: 'Reported by users of the API.',
  inferred: 'Inferred: no answer of the API is known.',
};

/** What the text is. */
const formWords: Record<TextForm, string> = {
  empty: 'Empty',
  text: 'Not a request',
  body: 'JSON body',
  contents: 'Contents',
  jsonl: 'JSON Lines',
  har: 'HAR file',
  curl: 'cURL command',
  powershell: 'PowerShell command',
  javascript: 'JavaScript',
  python: 'Python',
  openai: 'OpenAI messages',
};

/** Says what a text is: `JSON body · 7 turns · 135 lines`. */
export function textWords({ form, timeline, text, requests, chosen }: Analysis): string {
  if (form === 'empty') return formWords.empty;
  const turns = timeline?.turns.length ?? 0;
  const unit = timeline?.turns[0]?.form === 'steps' ? 'step' : 'turn';
  const lines = text.split('\n').length;
  return [
    form === 'body' && requests[chosen]?.api === 'interactions'
      ? 'Interactions API body'
      : formWords[form],
    requests.length > 1 ? amount(requests.length, 'request') : '',
    turns > 0 ? amount(turns, unit) : '',
    lines > 1 ? amount(lines, 'line') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Says how many findings there are: `2 errors, 1 note`, or `No errors (1 note)`. */
export function countsOf({ errors, warnings, notes }: FindingCounts): string {
  const others = [
    warnings > 0 ? amount(warnings, severityWords.warning.one) : '',
    notes > 0 ? amount(notes, severityWords.info.one) : '',
  ].filter(Boolean);
  if (errors === 0) return others.length > 0 ? `No errors (${others.join(', ')})` : 'No errors';
  return [amount(errors, severityWords.error.one), ...others].join(', ');
}

/** What the service answered to a request of a HAR file: `400 call.order`. */
export function answerWords({ answer }: FoundRequest): string {
  if (!answer) return '';
  const { status, error } = answer;
  const [code] = error?.codes ?? [];
  return [String(status), code ?? error?.message.slice(0, 80) ?? ''].filter(Boolean).join(' ');
}

/** Returns where a finding is, in turns if it has one, or else in lines. */
export function placeOf({ path }: LintFinding, line: number, unit: 'turn' | 'line'): string {
  const [, index] = /^\/(?:contents|input)?\/?(\d+)/.exec(path) ?? [];
  return unit === 'turn' && index !== undefined ? count(Number(index) + 1) : count(line);
}

/** Formats a size for people: `1.5 MB`. */
export function sizeWords(units: number): string {
  if (units < 1000) return amount(units, 'character');
  if (units < 1e6) return `${count(Math.round(units / 100) / 10)} thousand characters`;
  return `${count(Math.round(units / 1e5) / 10)} million characters`;
}
