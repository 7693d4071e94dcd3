// Says in words what the lint engine returns: what a text is, what becomes of a request, and its findings by rule.
import type { Backend } from '../../index.js';
import { amount, count, severityWords } from '../../ui/format.js';
import type { Analysis, FoundRequest, LintFinding, TextForm } from './lint-result.js';
import type { Evidence } from './rule-text.js';
import { apiNames } from '../../requests/other-apis.js';

type FindingCounts = Pick<FoundRequest, 'errors' | 'warnings' | 'notes'>;

export const backendNames: Record<Backend, string> = { gemini: 'Gemini API', vertex: 'Vertex AI' };

/** How the severity of a rule is known. */
export const evidenceWords: Record<Evidence, string> = {
  documented: 'Documented by Google.',
  recorded: 'Recorded: the API answered so.',
  reported: 'Reported by users of the API.',
  inferred: 'Inferred: no answer of the API is known.',
};

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

const interactionWords: Partial<typeof formWords> = {
  body: 'Interactions API body',
  contents: 'Steps',
};

/** Says what a text is: `JSON body · 7 turns · 135 lines`. */
export function textWords({ form, timeline, text, requests, chosen }: Analysis): string {
  if (form === 'empty') return formWords.empty;
  const turns = timeline?.turns.length ?? 0;
  const unit = timeline?.turns[0]?.form === 'steps' ? 'step' : 'turn';
  const lines = text.split('\n').length;
  return [
    (requests[chosen]?.api === 'interactions' && interactionWords[form]) || formWords[form],
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

export interface Verdict {
  tone: 'good' | 'warn' | 'bad' | 'none';
  title: string;
  quote?: string;
  note: string;
}

/** The findings of one rule with one severity, in the order of the text. */
export interface FindingGroup {
  first: LintFinding;
  findings: LintFinding[];
  /** How often the rule is broken, with what is not listed. */
  times: number;
}

const worst = { error: 0, warning: 1, info: 2 };

/** Returns the findings of the chosen request by rule, the worst first. */
export function groupsOf({ findings, chosen }: Analysis): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    if (finding.request !== chosen) continue;
    const key = `${finding.severity} ${finding.code}`;
    const group = groups.get(key) ?? { first: finding, findings: [], times: 0 };
    group.findings.push(finding);
    group.times += 1 + finding.places.length + (finding.more ?? 0);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  return all.toSorted((a, b) => worst[a.first.severity] - worst[b.first.severity]);
}

const target = ({ model, backend }: FoundRequest) => `${model} on ${backendNames[backend]}`;

// "2 errors, both repairable."
function countWords({ findings, chosen }: Analysis, request: FoundRequest): string {
  const errors = findings.filter((one) => one.request === chosen && one.severity === 'error');
  const open = errors.filter(({ repair }) => repair === undefined).length;
  const all = ['', 'repairable', 'both repairable'][errors.length] ?? 'all repairable';
  const repairable = open === 0 ? all : `${errors.length - open} repairable`;
  const [first, ...others] = countsOf(request).split(', ');
  const words = errors.length === 0 ? [] : [repairable];
  return `${[first, ...words, ...others].join(', ')}.`;
}

// Names what the body is, if it is not one of generateContent: "OpenAI messages, converted. ".
function apiWords({ converted }: Analysis, { api }: FoundRequest): string {
  if (api === 'openai' && converted !== undefined) return 'OpenAI messages, converted. ';
  return api === undefined ? '' : `This is a body of ${apiNames[api]}. `;
}

// Bodies that no Google API takes. Messages for Anthropic would lose their calls if they were read as OpenAI's.
function foreignVerdict({ api }: FoundRequest): Verdict | undefined {
  if (api === undefined || api === 'interactions' || api === 'openai') return undefined;
  return {
    tone: 'bad',
    title: `This is a body of ${apiNames[api]}, which Google does not take`,
    note: 'Paste a request to the Gemini API, or messages of Chat Completions, which are converted.',
  };
}

function refusal(analysis: Analysis, request: FoundRequest, finding: LintFinding): Verdict {
  const { code, google, evidence, message } = finding;
  const [quote] = google;
  const known = evidence === undefined ? '' : ` ${evidenceWords[evidence]}`;
  const note = `${apiWords(analysis, request)}${countWords(analysis, request)}${known} Judged for ${target(request)}.`;
  if (code.startsWith('import.') || evidence === undefined)
    return { tone: 'bad', title: message, note };
  const probably = evidence === 'inferred' ? 'probably ' : '';
  const status = code.startsWith('model.') ? 404 : 400;
  const title = `Google ${probably}answers ${status} to this request`;
  const tone = evidence === 'inferred' ? 'warn' : 'bad';
  return { tone, title, note, ...(quote === undefined ? {} : { quote }) };
}

function refusalMessage({ googleError }: Analysis): Verdict | undefined {
  if (!googleError) return undefined;
  const { message, codes } = googleError;
  const [code] = codes;
  const what =
    code === undefined
      ? 'Google gives this answer to faults of many kinds'
      : `That is ${codes.map((one) => `\`${one}\``).join(' or ')}`;
  return {
    tone: 'warn',
    title: `${what}. Paste the request to find the place.`,
    quote: message,
    note: '',
  };
}

/** Returns the verdict on the chosen request of a text. */
export function verdictOf(analysis: Analysis): Verdict {
  const { form, findings, chosen, requests, ruleCount } = analysis;
  const request = requests[chosen];
  const message = refusalMessage(analysis);
  if (message) return message;
  if (form === 'empty') return { tone: 'none', title: 'Nothing to check yet', note: '' };
  if (!request) return { tone: 'warn', title: 'There is no request in this text', note: '' };
  const foreign = foreignVerdict(request);
  if (foreign) return foreign;
  const own = findings.filter((one) => one.request === chosen);
  const error = own.find(({ severity }) => severity === 'error');
  if (error) return refusal(analysis, request, error);
  const likely = own.find(
    ({ severity, evidence, google }) =>
      severity === 'warning' && evidence === 'inferred' && google.length > 0,
  );
  if (likely) return refusal(analysis, request, likely);
  const counts = countsOf(request) === 'No errors' ? '' : ` ${countsOf(request)}.`;
  const note = `${apiWords(analysis, request)}Checked against ${amount(ruleCount, 'rule')} for ${target(request)}.${counts}`;
  return { tone: 'good', title: 'No rule refuses this request', note };
}
