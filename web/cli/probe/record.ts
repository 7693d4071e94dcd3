// Writes what a probe saw as JSON, which src/catalogue/probed.mjs reads as evidence.
import type { Backend } from '../../index.js';
import { version } from '../../sdk/internal/version.js';
import type { Plan } from './plan.js';
import type { PriceOf } from './prices.js';
import type { ProbeRequest } from './types.js';
import { hasOtherWords, ruleVerdict, spent } from './verdict.js';

/** What a probe was, besides its plan. */
export interface ProbeRun {
  /** When it began, RFC 3339. */
  at: string;
  /** The time whose rules and prices were used, RFC 3339. */
  now: string;
  backend: Backend;
  /** The origin that was called. */
  service: string;
  priceOf: PriceOf;
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
export const isEmulated = ({ requests }: Plan): boolean =>
  requests.some(({ outcome }) => outcome?.taken === 'accepted' && outcome.emulated);

/** Returns the record of a probe. It holds the bodies and Google's words, never the key. */
export function recordOf(plan: Plan, { at, now, backend, service, priceOf }: ProbeRun): string {
  const { inputTokens, outputTokens, usd } = spent(plan.requests, priceOf);
  const record = {
    format: 'prompt-strata/probe',
    version: 1,
    package: version,
    at,
    now,
    backend,
    service,
    emulator: isEmulated(plan),
    rules: plan.rules.map((rule) => ({
      code: rule.code,
      model: rule.model,
      verdict: ruleVerdict(rule),
      failing: requestRecord(rule.failing),
      fixed: requestRecord(rule.fixed),
    })),
    notProbed: Object.fromEntries(plan.notProbed),
    cost: {
      requests: plan.requests.filter(({ outcome }) => outcome).length,
      inputTokens,
      outputTokens,
      usd,
    },
  };
  return JSON.stringify(record, null, 2) + '\n';
}
