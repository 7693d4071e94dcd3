// Defines token counts: of one request in one form for both wires, and of many requests together.
import type { Backend } from './backend.js';
import type { UsageMetadata } from './gemini/response.js';

/** Which prices `usage` takes. */
export interface UsageOptions {
  /** The model that was asked; aliases and routes are resolved. */
  model: string;
  /** Default: `gemini`. */
  backend?: Backend | undefined;
  /** When the answer came, RFC 3339: prices have dates. Default: now. */
  now?: string | undefined;
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
  totalTokens: number;
  /**
   * An estimate in USD at list prices of the standard tier: docs/models.md. Missing if no price is known: of this model,
   * of another tier, or for provisioned throughput.
   */
  usd?: number;
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
