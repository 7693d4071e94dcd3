// Declares token counts: estimated before sending, counted by the API, shared with the previous request, and added
// up.
import type { Backend, ServiceOptions } from './model.js';
import type { UsageMetadata } from './gemini/response.js';

/** Which prices `usage` takes. */
export interface UsageOptions {
  /** The model that was asked; aliases and routes are resolved. */
  model: string;
  /** Default: `gemini`. */
  backend?: Backend | undefined;
  /** When the answer came, RFC 3339: prices have dates. Default: now. */
  now?: string | undefined;
  /**
   * Which tier was asked for. Default: what the answer says; else the standard tier. The results of a batch do not say
   * that they are: pass `batch`.
   */
  serviceTier?: 'standard' | 'flex' | 'priority' | 'batch' | undefined;
}

/**
 * What is not known of an answer.
 *
 * - `counts`: it reports no counts, or only their total. The counts are 0.
 * - `split`: the total is greater than the sum of the counts. Mostly the thoughts are not counted.
 * - `total`: it reports no total, or one below the sum of the counts.
 * - `modalities`: the modalities of a count add up to more than it.
 * - `price`: the model has no known price.
 * - `tier`: the service tier has no known price.
 */
export type UsageGap = 'counts' | 'split' | 'total' | 'modalities' | 'price' | 'tier';

/** Tokens by modality, such as `TEXT` or `IMAGE`. `UNKNOWN`: what the answer counts, but names no modality for. */
export interface ModalityTokens {
  [modality: string]: number;
}

/** The tokens of one request, and an estimate of what they cost. */
export interface TokenUsage {
  /** The prompt, with what was read from a cache and with the results of the API's own tools. */
  inputTokens: number;
  /** The answer without thoughts. */
  outputTokens: number;
  /** Thoughts, which cost as much as the answer. */
  thoughtTokens: number;
  /** The part of `inputTokens` that was read from a cache. */
  cachedTokens: number;
  /** The part of `inputTokens` that are results of the API's own tools; missing if it reports none. */
  toolTokens?: number;
  /** What the API says is the total, else the sum. */
  totalTokens: number;
  /** The same by modality, as far as the API reports it. */
  modalities?: { input?: ModalityTokens; output?: ModalityTokens; cached?: ModalityTokens };
  /** `standard`, `flex`, `priority`, `batch` or `provisioned_throughput`; missing if nothing says it. */
  serviceTier?: string;
  /** An estimate in USD at list prices of the standard tier: docs/models.md. Missing if `unknown` says why. */
  usd?: number;
  /** At least and at most so many USD: of a tier whose price Google's documentation tells in percent. */
  usdRange?: [number, number];
  /** What is not known; missing if everything is. */
  unknown?: UsageGap[];
}

/** The token counts of several requests together: a send, or a conversation. */
export interface TotalUsage extends UsageMetadata {
  /** How many requests were sent, with those that failed. */
  requests: number;
}

/** What a conversation has used. */
export interface Spent {
  usage: TotalUsage;
  /** An estimate in USD; missing if the price of a request is not known. */
  usd?: number;
}

/** How much of a prompt the API read from a cache, and how much a cache could have served. */
export interface PrefixUse {
  /** Tokens of the prompt (`promptTokenCount`), with those from caches. */
  promptTokens: number;
  /**
   * Tokens at the start of the prompt that equal those of the previous request. Their share of the prompt is
   * estimated (`Manifest.stablePrefixTokens`), so the number may be off by some percent.
   */
  stableTokens: number;
  /** Tokens that the API read from a cache, implicit or explicit (`cachedContentTokenCount`). */
  cachedTokens: number;
}

/** The sums over all requests of a conversation. */
export interface PrefixTotals extends PrefixUse {
  /** The number of requests whose tokens the API counted. */
  requests: number;
}

/** Correction factors for token estimates. Pass it on unchanged. */
export interface Calibration {
  /** Counted tokens per estimated token of text. */
  text: number;
  /** Counted tokens per estimated token of calls, results and other JSON. */
  data: number;
  /** The number of counts that the factors were learned from. */
  seen: number;
}

/** Options of a token estimate. */
export interface EstimateOptions extends ServiceOptions {
  /** Counts media as this model does. Default: a flat count per kind of media. */
  model?: string;
  calibration?: Calibration | undefined;
}
