// Decides which failed requests are sent again, and after which delay.
import { GeminiError } from '../base/errors.js';
import * as must from '../base/options.js';
import type { Json } from '../types/json.js';

/**
 * How a failed request is sent again. A request without a response is not retried, because the API may have
 * processed it.
 */
export interface RetryOptions {
  /** The maximum number of requests, including the first. Default: 5. */
  attempts?: number;
  /** The delay before the second attempt, in milliseconds. Default: 1,000. */
  initialMs?: number;
  /** The maximum delay in milliseconds, unless the server asks for a longer one. Default: 60,000. */
  maxMs?: number;
  /** Each delay is the previous one times this factor. Default: 2. */
  factor?: number;
  /** The random share of a delay, from 0 to 1, so that clients do not retry at the same time. Default: 0.5. */
  jitter?: number;
  /** The HTTP statuses that are retried. Default: 408, 429, 500, 502, 503, 504. */
  statuses?: number[];
}

/**
 * Called before a request is sent again: with the error, the delay in milliseconds, and the number of the attempt
 * that failed, from 1. What it throws ends the call.
 *
 * @example
 * new GeminiClient({ apiKey, onRetry: ({ code }, delayMs) => console.warn(`${code}: again in ${delayMs} ms`) });
 */
export type RetryListener = (error: GeminiError, delayMs: number, attempt: number) => void;

/** @internal */
export type RetryPolicy = Required<RetryOptions>;

/** @internal */
export const retryOptions = must.shape<RetryOptions>({
  attempts: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  maxMs: must.optional(must.nonNegative),
  factor: must.optional(must.nonNegative),
  jitter: must.optional(must.nonNegative),
  statuses: must.optional(must.arrayOf(must.optional(must.number))),
});

const defaults: RetryPolicy = {
  attempts: 5,
  initialMs: 1000,
  maxMs: 60_000,
  factor: 2,
  jitter: 0.5,
  statuses: [408, 429, 500, 502, 503, 504],
};

// Longer delays are not awaited: five minutes, as in Gemini CLI (packages/core/src/utils/googleQuotaErrors.ts).
const longestServerDelay = 300_000;

/**
 * Returns the policy for the options; `false` means a single attempt.
 *
 * @internal
 */
export function retryPolicy(options?: RetryOptions | false): RetryPolicy {
  return options === false ? { ...defaults, attempts: 1 } : must.withDefaults(defaults, options);
}

function quotaIds(details: Json[]): string[] {
  const violations = details.flatMap((detail) => Object(detail).violations ?? []);
  return violations.map((violation: Json) => String(Object(violation).quotaId ?? ''));
}

// A daily quota, or a quota of 0, is not restored within the seconds that RetryInfo names.
function isQuotaExhausted(error: GeminiError): boolean {
  const daily = quotaIds(error.details).some((id) => /PerDay|Daily/i.test(id));
  return daily || /\blimit: 0(?![.\d])/.test(error.message);
}

/**
 * Returns whether the same request may succeed later.
 *
 * @internal
 */
export function isRetryable(error: unknown, policy: RetryPolicy): error is GeminiError {
  if (!(error instanceof GeminiError) || !policy.statuses.includes(error.status)) return false;
  return !isQuotaExhausted(error) && (error.retryAfterMs ?? 0) <= longestServerDelay;
}

/**
 * Returns the delay in milliseconds after attempt number `attempt`, from 1: the policy's or the server's, whichever is longer.
 *
 * @internal
 */
export function retryDelay(attempt: number, error: GeminiError, policy: RetryPolicy): number {
  const chance = policy.jitter * Math.random();
  const longest = Math.min(policy.initialMs * policy.factor ** (attempt - 1), policy.maxMs);
  const own = longest * (1 - chance);
  const { retryAfterMs } = error;
  // Clients that receive the same retryAfterMs must not retry at the same time either.
  return retryAfterMs === undefined ? own : Math.max(own, retryAfterMs + policy.initialMs * chance);
}
