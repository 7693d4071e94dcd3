// Records what was probed, and reports it.
import type { Backend } from '../../index.js';
import { version } from '../../sdk/internal/version.js';
import type { Plan } from './plan.js';
import {
  hasOtherWords,
  ruleVerdict,
  spent,
  costOf,
  verdictOf,
  type UsageOf,
  type ProbeRequest,
  type RuleProbe,
  type Verdict,
  type Cost,
} from './verdict.js';
import type { WirePlan, WireProbe } from './wires.js';
import type { Colors } from '../terminal.js';

/** What a probe was, besides its plan. */
export interface ProbeRun {
  /** When it began, RFC 3339. */
  at: string;
  /** The time whose rules and prices were used, RFC 3339. */
  now: string;
  backend: Backend;
  /** The origin that was called. */
  service: string;
  usageOf: UsageOf;
}

function requestRecord(request: ProbeRequest): object {
  const { source, predicted, outcome } = request;
  const { taken, code } = predicted;
  const said =
    outcome && outcome.taken !== 'accepted'
      ? { status: outcome.status, message: outcome.message }
      : {};
  return {
    body: source,
    predicted: taken,
    ...(code === undefined ? {} : { code }),
    outcome: outcome?.taken ?? 'undecided',
    ...said,
    ...(hasOtherWords(request) ? { words: 'other' } : {}),
  };
}

/** Whether the emulator answered. What it does proves nothing about the API. */
const isEmulated = ({ requests }: Pick<Plan, 'requests'>): boolean =>
  requests.some(({ outcome }) => outcome?.taken === 'accepted' && outcome.emulated);

/** Returns the record of a probe. It holds the bodies and Google's words, never the key. */
export function recordOf(plan: Plan, run: ProbeRun): string {
  return recordText(plan.requests, run, {
    rules: plan.rules.map((rule) => ({
      code: rule.code,
      model: rule.model,
      verdict: ruleVerdict(rule),
      failing: requestRecord(rule.failing),
      fixed: requestRecord(rule.fixed),
    })),
    notProbed: Object.fromEntries(plan.notProbed),
  });
}

/** Returns the record of the questions about the Interactions API. */
export function wireRecordOf({ probes, requests }: WirePlan, run: ProbeRun): string {
  return recordText(requests, run, {
    wire: 'interactions',
    rules: [],
    questions: probes.map(({ name, model, asks, request, reason }) => ({
      ...{ name, model, asks, wire: request?.wire, verdict: wireVerdict({ request }) },
      ...(request ? requestRecord(request) : { reason }),
    })),
  });
}

function recordText(
  requests: ProbeRequest[],
  { at, now, backend, service, usageOf }: ProbeRun,
  found: object,
): string {
  const { inputTokens, outputTokens, usd, unpriced } = spent(requests, usageOf);
  const record = {
    format: 'prompt-strata/probe',
    version: 1,
    package: version,
    at,
    now,
    backend,
    service,
    emulator: isEmulated({ requests }),
    ...found,
    cost: {
      requests: requests.filter(({ outcome }) => outcome).length,
      inputTokens,
      outputTokens,
      usd,
      ...(unpriced.length > 0 && { unpriced }),
    },
  };
  return JSON.stringify(record, null, 2) + '\n';
}

/** Returns whether the API did with the request of a question what was predicted. */
export const wireVerdict = ({ request }: Pick<WireProbe, 'request'>): Verdict =>
  request ? verdictOf(request) : 'undecided';

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
const grouped = (count: number) => count.toLocaleString('en');

// Replaces control characters, which a terminal would interpret.
const escapeControls = (text: string) => text.replace(/\p{Cc}/gu, '\u00b7');

function costText({ usd, unpriced }: Cost): string {
  const amount = usd === 0 ? [] : [`$${usd.toFixed(usd < 0.01 ? 5 : 2)}`];
  const unknown = unpriced.length === 0 ? [] : [`no known price for ${unpriced.join(', ')}`];
  return [...amount, ...unknown].join(', ') || '$0';
}

/** Returns an estimate that errs on the high side: each request is accepted and fills four bytes per token. */
function estimateOf(requests: ProbeRequest[], usageOf: UsageOf): Cost {
  const counted = requests.map(({ model, body }) => ({
    model,
    answer: { promptTokenCount: Math.ceil(body.length / 4), candidatesTokenCount: 1 },
  }));
  return costOf(counted, usageOf);
}

/** Returns what a probe will send: `102 requests for 51 rules, …`. */
export function announcement({ rules, requests }: Plan, service: string, usageOf: UsageOf): string {
  const models = [...new Set(requests.map(({ model }) => model))].join(', ');
  const cost = estimateOf(requests, usageOf);
  return `${plural(requests.length, 'request')} for ${plural(rules.length, 'rule')} to ${service}
Models: ${models}
One output token each, and about ${grouped(cost.inputTokens)} input tokens: at most about ${costText(cost)}
`;
}

/** Returns what the questions about the Interactions API will send, at most. */
export function wireAnnouncement(plan: WirePlan, service: string, usageOf: UsageOf): string {
  const cost = costOf(plan.estimate(), usageOf);
  const tokens = `${grouped(cost.inputTokens)} input and ${grouped(cost.outputTokens)} output tokens`;
  return `${plural(plan.count, 'request')} for ${plural(plan.probes.length, 'question')} to ${service}
Models: ${plan.models.join(', ')}
At most about ${tokens}: ${costText(cost)}
`;
}

const painters: Record<Verdict, 'green' | 'red' | 'yellow'> = {
  agrees: 'green',
  differs: 'red',
  undecided: 'yellow',
};

/** Returns the columns' widths, which depend on all rules. */
export function widthsOf({ rules }: Plan): { code: number; model: number; count: number } {
  const longest = (texts: string[]) => Math.max(0, ...texts.map(({ length }) => length));
  return {
    code: longest(rules.map(({ code }) => code)),
    model: longest(rules.map(({ model }) => model)),
    count: String(rules.length).length,
  };
}

const takenOf = ({ outcome }: ProbeRequest) => outcome?.taken ?? 'undecided';

/** Returns the line of a rule: its number, verdict, code, model, and what happened to both requests. */
export function ruleLine(
  rule: RuleProbe,
  number: number,
  total: number,
  widths: ReturnType<typeof widthsOf>,
  colors: Colors,
): string {
  const verdict = ruleVerdict(rule);
  const place = `${String(number).padStart(widths.count)}/${total}`;
  const label = colors[painters[verdict]](verdict.padEnd('undecided'.length));
  const code = rule.code.padEnd(widths.code);
  const model = rule.model.padEnd(widths.model);
  const outcomes = `${takenOf(rule.failing)}, fixed ${takenOf(rule.fixed)}`;
  return `${place} ${label} ${code} ${colors.dim(model)} ${outcomes}\n`;
}

function said({ outcome }: ProbeRequest): string[] {
  if (outcome === undefined || outcome.taken === 'accepted') return [];
  return [`    Google (${outcome.status}): ${escapeControls(outcome.message)}`];
}

function differenceLines(rule: RuleProbe): string[] {
  const requests = [
    ['the example', rule.failing],
    ['the fixed example', rule.fixed],
  ] as const;
  return requests
    .filter(([, request]) => verdictOf(request) !== 'agrees')
    .flatMap(([name, request]) => {
      const { taken, code } = request.predicted;
      const reason = code === undefined || code === rule.code ? '' : ` (${code})`;
      const expected = `${name}: predicted ${taken}${reason}, was ${takenOf(request)}`;
      return [`  ${rule.code} (${rule.model}), ${expected}`, ...said(request)];
    });
}

function wordLines({ code, model, failing }: RuleProbe): string[] {
  const { upstream = '' } = failing.predicted;
  return [`  ${code} (${model})`, ...said(failing), `    Catalogue: ${escapeControls(upstream)}`];
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function totals(plan: Plan, usageOf: UsageOf): string[] {
  const count = (verdict: Verdict) =>
    plan.rules.filter((rule) => ruleVerdict(rule) === verdict).length;
  const verdicts = `${count('agrees')} agree, ${count('differs')} differ, ${count('undecided')} undecided`;
  return [
    '',
    `${plural(plan.rules.length, 'rule')}: ${verdicts}`,
    costLine(plan.requests, usageOf),
  ];
}

function costLine(requests: ProbeRequest[], usageOf: UsageOf): string {
  const cost = spent(requests, usageOf);
  const sent = requests.filter(({ outcome }) => outcome).length;
  const tokens = `${grouped(cost.inputTokens)} input and ${grouped(cost.outputTokens)} output tokens`;
  return `${plural(sent, 'request')}, ${tokens}: ${costText(cost)}`;
}

/** Returns what differs, in which words Google refused, what was not probed, and what it cost. */
export function summary(plan: Plan, usageOf: UsageOf, colors: Colors): string {
  const having = (verdict: Verdict) => plan.rules.filter((rule) => ruleVerdict(rule) === verdict);
  const otherWords = plan.rules.filter(({ failing }) => hasOtherWords(failing));
  const width = Math.max(0, ...plan.notProbed.map(([code]) => code.length));
  const lines = [
    ...section(colors.bold('Differs'), having('differs').flatMap(differenceLines)),
    ...section(colors.bold('Undecided'), having('undecided').flatMap(differenceLines)),
    ...section(colors.bold('Refused in other words'), otherWords.flatMap(wordLines)),
    ...section(
      colors.bold('Not probed'),
      plan.notProbed.map(([code, reason]) => `  ${code.padEnd(width)} ${colors.dim(reason)}`),
    ),
    ...totals(plan, usageOf),
  ];
  return lines.join('\n') + '\n';
}

const nameWidth = ({ probes }: WirePlan) => Math.max(...probes.map(({ name }) => name.length));

/** Returns the line of a question: its number, verdict, name, model, and what happened to its request. */
export function wireLine(plan: WirePlan, probe: WireProbe, colors: Colors): string {
  const { probes } = plan;
  const number = probes.indexOf(probe) + 1;
  const place = `${String(number).padStart(String(probes.length).length)}/${probes.length}`;
  const verdict = wireVerdict(probe);
  const label = colors[painters[verdict]](verdict.padEnd('undecided'.length));
  const taken = probe.request ? takenOf(probe.request) : 'not asked';
  return `${place} ${label} ${probe.name.padEnd(nameWidth(plan))} ${colors.dim(probe.model)} ${taken}\n`;
}

function wireLines({ name, model, request, reason = '' }: WireProbe): string[] {
  if (!request) return [`  ${name} (${model}): ${escapeControls(reason)}`];
  const { taken, code } = request.predicted;
  const because = code === undefined ? '' : ` (${code})`;
  const expected = `predicted ${taken}${because}, was ${takenOf(request)}`;
  return [`  ${name} (${model}): ${expected}`, ...said(request)];
}

function wireWordLines({ name, model, request }: WireProbe): string[] {
  if (!request) return [];
  const { upstream = '' } = request.predicted;
  return [`  ${name} (${model})`, ...said(request), `    Catalogue: ${escapeControls(upstream)}`];
}

/** Returns the answers to the questions that differ or have none, what was asked, and what it cost. */
export function wireSummary(plan: WirePlan, usageOf: UsageOf, colors: Colors): string {
  const { probes, requests } = plan;
  const having = (verdict: Verdict) => probes.filter((probe) => wireVerdict(probe) === verdict);
  const otherWords = probes.filter(({ request }) => request && hasOtherWords(request));
  const asked = new Map(probes.map(({ name, asks }) => [name, asks]));
  const width = nameWidth(plan);
  const count = (verdict: Verdict) => having(verdict).length;
  const verdicts = `${count('agrees')} agree, ${count('differs')} differ, ${count('undecided')} undecided`;
  const lines = [
    ...section(colors.bold('Differs'), having('differs').flatMap(wireLines)),
    ...section(colors.bold('Undecided'), having('undecided').flatMap(wireLines)),
    ...section(colors.bold('Refused in other words'), otherWords.flatMap(wireWordLines)),
    ...section(
      colors.bold('Questions'),
      [...asked].map(([name, asks]) => `  ${name.padEnd(width)} ${colors.dim(asks)}`),
    ),
    '',
    `${plural(probes.length, 'question')}: ${verdicts}`,
    costLine(requests, usageOf),
  ];
  return lines.join('\n') + '\n';
}
