// Why this file exists: which refusals pass by themselves, and how long to wait for it.
import { GeminiError } from '../base/errors.js';
import * as must from '../base/options.js';
import type { Json } from '../types/json.js';

/** How a refused request is repeated. A failed connection is not: it may have been carried out. */
export interface RetryOptions {
  /** Requests in all, the first included. Default: 5. */
  attempts?: number;
  /** Milliseconds before the second attempt. Default: 1,000. */
  initialMs?: number;
  /** The longest wait of our own choosing; what the server asks for may be longer. Default: 60,000. */
  maxMs?: number;
  /** Each wait is this many times the one before. Default: 2. */
  factor?: number;
  /** The part of a wait that is left to chance, 0 to 1, so that clients do not return together. Default: 0.5. */
  jitter?: number;
  /** HTTP statuses worth another attempt. Default: 408, 429, 500, 502, 503, 504. */
  statuses?: number[];
}

export type RetryPolicy = Required<RetryOptions>;

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

// A server that asks for more than five minutes means: not now.
const longestServerDelay = 300_000;

/** The policy of these options; `false` is a single attempt. */
export function retryPolicy(options?: RetryOptions | false): RetryPolicy {
  return options === false ? { ...defaults, attempts: 1 } : must.withDefaults(defaults, options);
}

function quotaIds(details: Json[]): string[] {
  const violations = details.flatMap((detail) => Object(detail).violations ?? []);
  return violations.map((violation: Json) => String(Object(violation).quotaId ?? ''));
}

// A spent day or a quota of nothing does not come back in the seconds that RetryInfo speaks of.
function isQuotaSpent(error: GeminiError): boolean {
  const daily = quotaIds(error.details).some((id) => /PerDay|Daily/i.test(id));
  return daily || /\blimit: 0(?![.\d])/.test(error.message);
}

/** Whether the same request may be answered later. */
export function isRetryable(error: unknown, policy: RetryPolicy): error is GeminiError {
  if (!(error instanceof GeminiError) || !policy.statuses.includes(error.status)) return false;
  return !isQuotaSpent(error) && (error.retryAfterMs ?? 0) <= longestServerDelay;
}

/** Milliseconds to wait after the attempt of this number, counted from 1: the policy's or, if that is longer, the server's. */
export function retryDelay(attempt: number, error: GeminiError, policy: RetryPolicy): number {
  const chance = policy.jitter * Math.random();
  const longest = Math.min(policy.initialMs * policy.factor ** (attempt - 1), policy.maxMs);
  const own = longest * (1 - chance);
  const { retryAfterMs } = error;
  // Those who were told the same do not return together either.
  return retryAfterMs === undefined ? own : Math.max(own, retryAfterMs + policy.initialMs * chance);
}
