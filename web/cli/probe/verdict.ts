// Names what a probe is, and judges what the API answered.
import { usage, type ServiceOptions, type TokenUsage, type Wire } from '../../index.js';

/** A body: JSON text, or bytes that are not UTF-8. */
export type ProbeBody = string | { base64: string };

/** Whether the API takes a request. */
type Taken = 'accepted' | 'refused';

/** What the rules expect of the API. */
export interface Prediction {
  taken: Taken;
  /** The code of the error for which it is refused. */
  code?: string;
  /** Google's words that the catalogue has for this error. */
  upstream?: string;
}

/** What the API did. `undecided`: it neither took nor refused the request. */
export type Outcome =
  | { taken: 'accepted'; answer: object; emulated: boolean }
  | { taken: 'refused'; status: number; message: string }
  | { taken: 'undecided'; status: number; message: string };

/** One request. Rules whose examples have the same body share it. */
export interface ProbeRequest {
  model: string;
  source: ProbeBody;
  body: Uint8Array;
  predicted: Prediction;
  /** The API that it is for. Default: `generateContent`. */
  wire?: Wire;
  /** Unset until it is answered. */
  outcome?: Outcome;
}

/** One rule for one model. */
export interface RuleProbe {
  code: string;
  model: string;
  failing: ProbeRequest;
  fixed: ProbeRequest;
}

/** Whether the API did what the rules expect. */
export type Verdict = 'agrees' | 'differs' | 'undecided';

/** Returns what an answer of a model used. */
export type UsageOf = (model: string, answer: object) => TokenUsage;

/** Returns what answers of a service cost at a time. */
export const usageAt =
  (service: Pick<ServiceOptions, 'backend' | 'now'>): UsageOf =>
  (model, answer) =>
    usage(answer, { model, ...service });

/** Returns whether the API did with a request what was predicted. */
export function verdictOf({ predicted, outcome }: ProbeRequest): Verdict {
  if (outcome === undefined || outcome.taken === 'undecided') return 'undecided';
  return outcome.taken === predicted.taken ? 'agrees' : 'differs';
}

/** Returns whether the API did what a rule expects, with both requests. */
export function ruleVerdict({ failing, fixed }: RuleProbe): Verdict {
  const verdicts = [failing, fixed].map(verdictOf);
  const [worst] = (['differs', 'undecided'] as const).filter((each) => verdicts.includes(each));
  return worst ?? 'agrees';
}

/** Whether a predicted refusal had other words than the catalogue has. */
export function hasOtherWords({ predicted: { taken, upstream }, outcome }: ProbeRequest): boolean {
  if (taken !== 'refused' || outcome?.taken !== 'refused' || upstream === undefined) return false;
  return outcome.message.trim() !== upstream.trim();
}

/** Tokens and their price. `unpriced`: models some of whose answers have no known cost. */
export interface Cost {
  inputTokens: number;
  outputTokens: number;
  usd: number;
  unpriced: string[];
}

/** Adds up what answers used. */
export function costOf(counted: { model: string; answer: object }[], usageOf: UsageOf): Cost {
  const cost: Cost = { inputTokens: 0, outputTokens: 0, usd: 0, unpriced: [] };
  for (const { model, answer } of counted) {
    const { inputTokens, outputTokens, thoughtTokens, usd } = usageOf(model, answer);
    cost.inputTokens += inputTokens;
    cost.outputTokens += outputTokens + thoughtTokens;
    cost.usd += usd ?? 0;
    if (usd === undefined && !cost.unpriced.includes(model)) cost.unpriced.push(model);
  }
  return cost;
}

/** Returns what the accepted requests cost. Refused ones are free. */
export function spent(requests: ProbeRequest[], usageOf: UsageOf): Cost {
  const counted = requests.flatMap(({ model, outcome }) =>
    outcome?.taken === 'accepted' ? [{ model, answer: outcome.answer }] : [],
  );
  return costOf(counted, usageOf);
}
