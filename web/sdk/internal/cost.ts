// Reads the token counts of an answer and calculates what they cost, from the dated prices of the model table.
import { prices, routes, type PriceCells } from '#generated/prices';
import { isObject } from './json.js';
import * as must from './options.js';
import type { ModelPrice } from '../types/model.js';
import type { TokenUsage, UsageOptions } from '../types/usage.js';

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

// Other tiers have other prices, and provisioned throughput is paid by time.
function hasListPrice({
  serviceTier,
  service_tier,
  trafficType,
}: Record<string, unknown>): boolean {
  const isOneOf = (value: unknown, names: RegExp) =>
    value === undefined || (typeof value === 'string' && names.test(value));
  const isStandard = isOneOf(serviceTier ?? service_tier, /^(standard|.*unspecified)$/i);
  return isStandard && isOneOf(trafficType, /^(ON_DEMAND|.*UNSPECIFIED)$/);
}

/** Returns the token counts of the metadata of either wire, without their cost. */
export function countsOf(metadata: object): Omit<TokenUsage, 'usd'> & { isCounted: boolean } {
  const given = metadata as Record<string, unknown>;
  const known = (own: string, other: string) => [given[own], given[other]].find(must.isCount);
  const prompt = known('promptTokenCount', 'total_input_tokens');
  const output = known('candidatesTokenCount', 'total_output_tokens');
  const thoughts = known('thoughtsTokenCount', 'total_thought_tokens');
  const inputTokens =
    (prompt ?? 0) + (known('toolUsePromptTokenCount', 'total_tool_use_tokens') ?? 0);
  const [outputTokens, thoughtTokens] = [output ?? 0, thoughts ?? 0];
  const cachedTokens = known('cachedContentTokenCount', 'total_cached_tokens') ?? 0;
  const sum = inputTokens + outputTokens + thoughtTokens;
  const totalTokens = known('totalTokenCount', 'total_tokens') ?? sum;
  const isCounted = [prompt, output, thoughts].some((count) => count !== undefined);
  return { inputTokens, outputTokens, thoughtTokens, cachedTokens, totalTokens, isCounted };
}

/**
 * Returns the counts and the cost of an answer at these prices.
 *
 * @internal
 */
export function usageAt(metadata: object, row: PriceRow | undefined): TokenUsage {
  const { isCounted, ...counts } = countsOf(metadata);
  if (!row || !isCounted || !hasListPrice(metadata as Record<string, unknown>)) return counts;
  const { inputTokens: input, cachedTokens: cached, outputTokens, thoughtTokens } = counts;
  const price = input > longPrompt ? (row.above200k ?? row) : row;
  return { ...counts, usd: costOf({ input, cached, output: outputTokens + thoughtTokens }, price) };
}

/**
 * Returns the token counts of one answer in one form, and an estimate of what they cost. `metadata` is `usageMetadata`
 * of generateContent, or `usage` of an interaction. Pass the counts of one request: long prompts may have a higher
 * price. docs/conversation.md says what the estimate covers.
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
  return usageAt(metadata, priceOf(options));
}
