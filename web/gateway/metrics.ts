// Counts what the gateway does.
import { Counts, countsText, type CountFamily, type CountRow } from './counts.js';
import { priceOf, usageAt } from '../sdk/internal/cost.js';
import type { TokenUsage, UsageOptions } from '../sdk/types/usage.js';

const counter = (name: string, help: string, ...labels: string[]): CountFamily => ({
  ...{ name: `prompt_strata_${name}_total`, help, type: 'counter', labels },
});

// Models answer within seconds to minutes.
const latencyBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Returns a histogram of the time that something takes. */
export const latency = (name: string, help: string): CountFamily => ({
  ...{ name: `prompt_strata_${name}_seconds`, help, type: 'histogram', bounds: latencyBounds },
});

const families = {
  requests: counter('requests', 'Requests by route and status.', 'route', 'status'),
  findings: counter('findings', 'Findings in requests by code.', 'code'),
  repaired: counter('repaired', 'Findings that were repaired by code.', 'code'),
  badRequests: counter('upstream_bad_requests', 'Answers of the upstream with status 400.'),
  broken: counter(
    'broken_answers',
    'Answers that broke off after their status by reason.',
    'reason',
  ),
  avoided: counter(
    'avoided_bad_requests',
    'Requests that the upstream answered after a repair or with restored signatures.',
  ),
  restored: counter('restored_signatures', 'Signatures restored from the memory.'),
  placeholders: counter('placeholder_signatures', 'Placeholders set for signatures.'),
  tokens: counter('tokens', 'Tokens that answers report by kind and model.', 'kind', 'model'),
  cost: counter(
    'cost_usd',
    'Estimated cost of tokens in USD by model, without unknown prices.',
    'model',
  ),
  unknown: counter(
    'unknown_usage',
    'Answers whose tokens or cost are not fully known, by what is not known and model.',
    'unknown',
    'model',
  ),
  upstream: latency('upstream', 'Seconds until the head of the answer of the upstream.'),
  since: {
    ...{ name: 'prompt_strata_counting_since_seconds', type: 'gauge' },
    help: 'The time of the first count in seconds since 1970.',
  },
} satisfies Record<string, CountFamily>;

/** What a gateway counts. */
export const gatewayFamilies: readonly CountFamily[] = Object.values(families);

/** The counts of one gateway, from its start on. */
export interface Metrics {
  /** One request. `route` is the name of a route, never a path. */
  request(route: string, status: number): void;
  findings(codes: readonly string[]): void;
  repaired(codes: readonly string[]): void;
  /** A 400 of the upstream. */
  upstreamBadRequest(): void;
  /** An answer that broke off after its status was sent. */
  brokenAnswer(reason: string): void;
  /** A request that the upstream answered and that it would have refused as it came. */
  avoided(): void;
  restored(signatures: number): void;
  placeholders(signatures: number): void;
  /** The tokens of one answer, and what they cost. */
  tokens(usage: CountedUsage): void;
  /** The time until the upstream's head arrived. */
  upstreamSeconds(seconds: number): void;
  /** Returns all counts in Prometheus' text form. */
  text(): string | Promise<string>;
}

/** The tokens of one answer, and whose they are. */
interface CountedUsage extends TokenUsage {
  /** The row of the price table, because a name comes from a caller; `other` for a model whose price is not known. */
  label: string;
}

/** Returns the tokens of an answer and their cost now; undefined if it reports none. */
export function countedUsage(metadata: object, of: UsageOptions): CountedUsage | undefined {
  const row = priceOf(of);
  const usage = usageAt(metadata, row, of);
  return usage.totalTokens > 0 ? { ...usage, label: row?.id ?? 'other' } : undefined;
}

/** Counts the tokens of an answer and their cost. */
export function countTokens(counts: Counts, usage: CountedUsage): void {
  const { label: model, inputTokens, cachedTokens, outputTokens, thoughtTokens, usd } = usage;
  const { name } = families.tokens;
  counts.add(name, inputTokens, { kind: 'input', model });
  counts.add(name, cachedTokens, { kind: 'cached', model });
  counts.add(name, outputTokens + thoughtTokens, { kind: 'output', model });
  if (usd !== undefined) counts.add(families.cost.name, usd, { model });
  for (const unknown of usage.unknown ?? [])
    counts.add(families.unknown.name, 1, { unknown, model });
}

/** Counts a request of a route. */
export function countRequest(counts: Counts, route: string, status: number): void {
  counts.add(families.requests.name, 1, { route, status });
}

/** Returns the row that says since when counts are counted. */
export const sinceRow = (milliseconds: number): CountRow => [
  families.since.name,
  '',
  milliseconds / 1000,
];

function textSince(counts: Counts, start: number): string {
  return countsText(gatewayFamilies, [...counts.rows, sinceRow(start)]);
}

/**
 * Creates the counts of a gateway.
 *
 * @param text returns all counts, where several gateways count together
 */
export function createMetrics(
  counts: Counts = new Counts(),
  text?: () => string | Promise<string>,
): Metrics {
  const start = Date.now();
  const add = ({ name }: CountFamily, amount = 1) => counts.add(name, amount);
  const countCodes = ({ name }: CountFamily, codes: readonly string[]) => {
    for (const code of codes) counts.add(name, 1, { code });
  };
  return {
    request: (route, status) => countRequest(counts, route, status),
    findings: (codes) => countCodes(families.findings, codes),
    repaired: (codes) => countCodes(families.repaired, codes),
    upstreamBadRequest: () => add(families.badRequests),
    brokenAnswer: (reason) => counts.add(families.broken.name, 1, { reason }),
    avoided: () => add(families.avoided),
    restored: (signatures) => add(families.restored, signatures),
    placeholders: (signatures) => add(families.placeholders, signatures),
    tokens: (usage) => countTokens(counts, usage),
    upstreamSeconds: (seconds) => counts.observe(families.upstream, seconds),
    text: text ?? (() => textSince(counts, start)),
  };
}
