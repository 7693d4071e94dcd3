// Formats a probe as text: what it will send, one line per rule, and what it found.
import type { Colors } from '../colors.js';
import type { Plan } from './plan.js';
import type { PriceOf } from './prices.js';
import type { ProbeRequest, RuleProbe, Verdict } from './types.js';
import { costOf, hasOtherWords, ruleVerdict, spent, verdictOf, type Cost } from './verdict.js';

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
function estimateOf(requests: ProbeRequest[], priceOf: PriceOf): Cost {
  const counted = requests.map(({ model, body }) => ({
    model,
    inputTokens: Math.ceil(body.length / 4),
    outputTokens: 1,
  }));
  return costOf(counted, priceOf);
}

/** Returns what a probe will send: `102 requests for 51 rules, …`. */
export function announcement({ rules, requests }: Plan, service: string, priceOf: PriceOf): string {
  const models = [...new Set(requests.map(({ model }) => model))].join(', ');
  const cost = estimateOf(requests, priceOf);
  return `${plural(requests.length, 'request')} for ${plural(rules.length, 'rule')} to ${service}
Models: ${models}
One output token each, and about ${grouped(cost.inputTokens)} input tokens: at most about ${costText(cost)}
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

function totals(plan: Plan, priceOf: PriceOf): string[] {
  const count = (verdict: Verdict) =>
    plan.rules.filter((rule) => ruleVerdict(rule) === verdict).length;
  const cost = spent(plan.requests, priceOf);
  const sent = plan.requests.filter(({ outcome }) => outcome).length;
  const tokens = `${grouped(cost.inputTokens)} input and ${grouped(cost.outputTokens)} output tokens`;
  const verdicts = `${count('agrees')} agree, ${count('differs')} differ, ${count('undecided')} undecided`;
  return [
    '',
    `${plural(plan.rules.length, 'rule')}: ${verdicts}`,
    `${plural(sent, 'request')}, ${tokens}: ${costText(cost)}`,
  ];
}

/** Returns what differs, in which words Google refused, what was not probed, and what it cost. */
export function summary(plan: Plan, priceOf: PriceOf, colors: Colors): string {
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
    ...totals(plan, priceOf),
  ];
  return lines.join('\n') + '\n';
}
