// Reads the token counts of an answer and calculates what they cost, from the dated prices of the model table.
import { prices, routes, type PriceCells } from '#generated/prices';
import { isObject } from './json.js';
import * as must from './options.js';
import type { ModelPrice } from '../types/model.js';
import type { ModalityTokens, TokenUsage, UsageGap, UsageOptions } from '../types/usage.js';

/** Tokens of one answer. */
interface TokenCounts {
  input: number;
  /** The part of the input that came from a cache. */
  cached: number;
  /** With those of thoughts. */
  output: number;
}

/** USD per million tokens, without the price of storage. */
type TokenPrice = Pick<ModelPrice, 'input' | 'output' | 'cacheRead'>;

/** Prices of a model, which may be higher for long prompts. */
export interface PriceRow extends TokenPrice {
  /** The start of the names of models that have these prices. */
  id: string;
  above200k?: TokenPrice;
}

const longPrompt = 200_000;
const dayMs = 86_400_000;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d/i;

const optionChecks: must.Shape<UsageOptions> = {
  model: must.nonEmptyString,
  backend: must.optional(must.backend),
  serviceTier: must.optional(must.oneOf('standard', 'flex', 'priority', 'batch')),
  now: (value, path) => {
    if (value === undefined) return;
    must.string(value, path);
    const text = value as string;
    if (!timestamp.test(text) || Number.isNaN(Date.parse(text)))
      throw must.invalidOption(path, 'an RFC 3339 timestamp');
  },
};

/** Returns what tokens cost in USD. */
export function costOf({ input, cached, output }: TokenCounts, price: TokenPrice): number {
  const uncached = Math.max(0, input - cached);
  return (uncached * price.input + cached * price.cacheRead + output * price.output) / 1e6;
}

// A stable version of a model, such as gemini-3.8-flash-001, is routed as the model is.
const names = (name: string, model: string): boolean =>
  name.startsWith(model) && /^(-\d{3})?$/.test(name.slice(model.length));

// Routes have no circles.
function servedBy(name: string, backend: string, day: number): string {
  const route = routes
    .filter(
      ([from, , since, only = backend]) => names(name, from) && since <= day && only === backend,
    )
    .reduce<(typeof routes)[number] | undefined>(
      (newest, each) => (newest && newest[2] > each[2] ? newest : each),
      undefined,
    );
  return route ? servedBy(route[1], backend, day) : name;
}

const priceOfCells = ([input = 0, output = 0, cacheRead = 0]: PriceCells): TokenPrice => ({
  input,
  output,
  cacheRead,
});

/** Returns the prices of a model at a service and a time; undefined if none is known. */
export function priceOf({ model, backend = 'gemini', now }: UsageOptions): PriceRow | undefined {
  const day = Math.floor((now === undefined ? Date.now() : Date.parse(now)) / dayMs);
  const name = servedBy(model.slice(model.lastIndexOf('/') + 1), backend, day);
  const [id, ...dated] = prices
    .filter(([start]) => name.startsWith(start))
    .reduce<(typeof prices)[number]>(
      (best, row) => (row[0].length > best[0].length ? row : best),
      [''],
    );
  const cells = dated.findLast(([from = 0]) => from <= day)?.slice(1);
  if (!cells) return undefined;
  const above = cells.slice(3);
  return {
    id,
    ...priceOfCells(cells),
    ...(above.length > 0 && { above200k: priceOfCells(above) }),
  };
}

// What tiers cost in parts of the list price, at least and at most: https://ai.google.dev/gemini-api/docs/optimization
const tierFactors: Record<string, readonly [least: number, most: number]> = {
  ...{ flex: [0.5, 0.5], batch: [0.5, 0.5], priority: [1.75, 2] },
};

/** What an answer tells of what it used, in the names of its wire. */
type WireCounts = Record<string, unknown>;

// The object with the counts. The tier of an interaction stands beside them.
function wireCounts(metadata: object): WireCounts {
  const { usageMetadata, usage, service_tier } = metadata as WireCounts;
  if (isObject(usageMetadata)) return usageMetadata;
  return isObject(usage) ? { service_tier, ...usage } : (metadata as WireCounts);
}

// The tier that served an answer, which may be another one than was asked for. Results of a batch do not name it.
function tierOf(reported: WireCounts, asked: string | undefined): string | undefined {
  if (asked === 'batch') return asked;
  const tiers = [reported['serviceTier'] ?? reported['service_tier'], reported['trafficType']]
    .map((tier) => `${(tier as string | undefined) ?? ''}`.toLowerCase())
    .map((tier) => tier.replace(/^service_tier_|^on_demand_/, '').replace('on_demand', 'standard'))
    .filter((tier) => tier !== '' && !tier.endsWith('unspecified'));
  return tiers.find((tier) => tier !== 'standard') ?? tiers[0] ?? asked;
}

const modalityLists: Record<string, 'input' | 'output' | 'cached'> = {
  ...{ promptTokensDetails: 'input', input_tokens_by_modality: 'input' },
  ...{ toolUsePromptTokensDetails: 'input', tool_use_tokens_by_modality: 'input' },
  ...{ candidatesTokensDetails: 'output', output_tokens_by_modality: 'output' },
  ...{ cacheTokensDetails: 'cached', cached_tokens_by_modality: 'cached' },
};

function modalitiesOf(reported: WireCounts, counts: Record<'input' | 'output' | 'cached', number>) {
  const found: NonNullable<TokenUsage['modalities']> = {};
  const add = (to: ModalityTokens, name: string, tokens: number) => {
    if (tokens > 0) to[name] = (to[name] ?? 0) + tokens;
  };
  for (const [list, kind] of Object.entries(modalityLists)) {
    const rows = reported[list];
    if (!Array.isArray(rows)) continue;
    const sums = (found[kind] ??= {});
    for (const { modality, tokenCount, tokens = tokenCount } of rows as WireCounts[])
      add(sums, String(modality).toUpperCase(), must.isCount(tokens) ? tokens : 0);
  }
  let isExact = true;
  for (const [kind, sums] of Object.entries(found)) {
    const rest =
      counts[kind as keyof typeof counts] - Object.values(sums).reduce((sum, n) => sum + n, 0);
    add(sums, 'UNKNOWN', rest);
    isExact &&= rest >= 0;
  }
  return { modalities: found, isExact };
}

/** Returns the counts of an answer, and which of them are not known. */
function countsOf(reported: WireCounts): Omit<TokenUsage, 'usd'> & { unknown: UsageGap[] } {
  const known = (own: string, other: string) => [reported[own], reported[other]].find(must.isCount);
  const prompt = known('promptTokenCount', 'total_input_tokens');
  const output = known('candidatesTokenCount', 'total_output_tokens');
  const thoughts = known('thoughtsTokenCount', 'total_thought_tokens');
  const tools = known('toolUsePromptTokenCount', 'total_tool_use_tokens') ?? 0;
  const total = known('totalTokenCount', 'total_tokens');
  const cachedTokens = known('cachedContentTokenCount', 'total_cached_tokens') ?? 0;
  const inputTokens = (prompt ?? 0) + tools;
  const [outputTokens, thoughtTokens] = [output ?? 0, thoughts ?? 0];
  const sum = inputTokens + outputTokens + thoughtTokens;
  const { modalities, isExact } = modalitiesOf(reported, {
    input: inputTokens,
    output: outputTokens,
    cached: cachedTokens,
  });
  const isCounted = [prompt, output, thoughts].some((count) => count !== undefined);
  const gaps: [UsageGap, boolean][] = [
    ['counts', !isCounted],
    ['split', isCounted && total !== undefined && total > sum],
    ['total', isCounted && (total === undefined || total < sum)],
    ['modalities', !isExact],
  ];
  return {
    ...{ inputTokens, outputTokens, thoughtTokens, cachedTokens, totalTokens: total ?? sum },
    ...(tools > 0 && { toolTokens: tools }),
    ...(Object.keys(modalities).length > 0 && { modalities }),
    unknown: gaps.filter(([, isGap]) => isGap).map(([gap]) => gap),
  };
}

/**
 * Returns the counts and the cost of an answer at these prices.
 *
 * @internal
 */
export function usageAt(
  metadata: object,
  row: PriceRow | undefined,
  { backend = 'gemini', serviceTier: asked }: Omit<UsageOptions, 'model'> = {},
): TokenUsage {
  const reported = wireCounts(metadata);
  const { unknown, ...counts } = countsOf(reported);
  const tier = tierOf(reported, asked);
  const result = { ...counts, ...(tier !== undefined && { serviceTier: tier }) };
  if (!row) unknown.push('price');
  const hasListPrice = tier === undefined || tier === 'standard';
  if (!hasListPrice) unknown.push('tier');
  const { inputTokens: input, cachedTokens: cached, outputTokens, thoughtTokens } = counts;
  const gaps = unknown.length > 0 && { unknown };
  if (!row || unknown.some((gap) => gap === 'counts' || gap === 'split'))
    return { ...result, ...gaps };
  const price = input > longPrompt ? (row.above200k ?? row) : row;
  const usd = costOf({ input, cached, output: outputTokens + thoughtTokens }, price);
  if (hasListPrice) return { ...result, usd, ...gaps };
  const [least, most] = (backend === 'gemini' && tierFactors[tier]) || [];
  if (least === undefined || most === undefined) return { ...result, ...gaps };
  // It is not documented that reading from a cache has the discount too.
  const cachedUsd = most < 1 ? (cached * price.cacheRead * (1 - most)) / 1e6 : 0;
  return { ...result, usdRange: [usd * least, usd * most + cachedUsd], ...gaps };
}

/**
 * Returns the token counts of one answer in one form, and an estimate of what they cost. `metadata` is `usageMetadata`
 * of generateContent, `usage` of an interaction, or the answer that has one of them. Pass the counts of one request:
 * long prompts may have a higher price. What is not known is in `unknown`. docs/usage.md says what the estimate covers.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option, or metadata that is no object
 *
 * @example
 * const { inputTokens, usd } = usage(response.usageMetadata, { model: 'gemini-3.8-flash' });
 */
export function usage(metadata: object, options: UsageOptions): TokenUsage {
  if (!isObject(metadata))
    throw must.invalidOption('/metadata', 'an object, such as usageMetadata');
  must.object(options, '');
  must.checkOptions(options, optionChecks);
  return usageAt(metadata, priceOf(options), options);
}
