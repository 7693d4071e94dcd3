// Says when a request is sent again, how often, and after which delay. The table `sendAgain` has a row for each reason;
// nothing else decides it.
import { GeminiError, HistoryError } from '../base/errors.js';
import * as must from '../base/options.js';
import type { ErrorCode } from '../types/codes.js';
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

/** How an unusable answer is requested again. Only the user's turn stays in the thread between attempts. */
export interface AnswerRetryOptions {
  /** Maximum number of requests, including the first. Default: 4. */
  attempts?: number;
  /** Delay before the second attempt, in milliseconds. Default: 1,000. */
  initialMs?: number;
  /** Each delay is the previous one multiplied by this factor. Default: 2. */
  factor?: number;
  /**
   * Codes that are retried. Default: `network`, `answer.cut`, `answer.invalid`,
   * `answer.malformed_call`, `answer.unexpected_call`, `answer.recitation`, `answer.other`,
   * `answer.thoughts_only`, `answer.empty`, `answer.unusable`, `answer.loop` (once; see
   * `loopDetection.onText`). An error within a stream is retried as its HTTP status would be.
   */
  codes?: ErrorCode[];
  /**
   * Text added to the next request, never to the thread, after an answer that was empty, held only
   * thoughts, or repeated itself. `false` adds nothing. Default: a sentence for each case.
   */
  nudge?: string | false;
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
export type AnswerRetryPolicy = Required<AnswerRetryOptions>;

/** @internal */
export const retryOptions = must.shape<RetryOptions>({
  attempts: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  maxMs: must.optional(must.nonNegative),
  factor: must.optional(must.nonNegative),
  jitter: must.optional(must.nonNegative),
  statuses: must.optional(must.arrayOf(must.optional(must.number))),
});

/** @internal */
export const answerRetryOptions = must.shape<AnswerRetryOptions>({
  attempts: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  factor: must.optional(must.nonNegative),
  codes: must.optional(must.arrayOf(must.optional(must.string))),
  nudge: must.booleanOr(must.optional(must.string)),
});

const retryDefaults: RetryPolicy = {
  attempts: 5,
  initialMs: 1000,
  maxMs: 60_000,
  factor: 2,
  jitter: 0.5,
  statuses: [408, 429, 500, 502, 503, 504],
};

// A blocked prompt, a safety filter and the token limit are not retried: the same request fails again.
const answerDefaults: AnswerRetryPolicy = {
  attempts: 4,
  initialMs: 1000,
  factor: 2,
  codes: [
    'network',
    'answer.cut',
    'answer.invalid',
    'answer.malformed_call',
    'answer.unexpected_call',
    'answer.recitation',
    'answer.other',
    'answer.thoughts_only',
    'answer.empty',
    'answer.unusable',
    'answer.loop',
  ],
  nudge: '',
};

/**
 * Returns the policy for the options; `false` means a single attempt.
 *
 * @internal
 */
export function retryPolicy(options?: RetryOptions | false): RetryPolicy {
  return options === false
    ? { ...retryDefaults, attempts: 1 }
    : must.withDefaults(retryDefaults, options);
}

/**
 * Returns the policy for these options; `false` means a single attempt.
 *
 * @internal
 */
export function answerRetryPolicy(options: AnswerRetryOptions | false = {}): AnswerRetryPolicy {
  return options === false
    ? { ...answerDefaults, attempts: 1 }
    : must.withDefaults(answerDefaults, options);
}

/**
 * The reasons to send again. Each row takes an error and the number of the request that failed, from 1, among those for
 * this reason. It returns the milliseconds to wait, or undefined if it does not send again.
 *
 * @internal
 */
export const sendAgain = {
  /** The same request of any call (`Http.retried`): the API is busy or failed, and its status may pass. */
  status(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
    return isPassing(error, policy) ? retryDelay(error, attempt, policy) : undefined;
  },
  /** A chunk of an upload (`upload.ts`), from where the API says that it ended: also without a response. */
  chunk(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
    const mayResume =
      error instanceof GeminiError && ['network', 'timeout', 'server'].includes(error.kind);
    return mayResume
      ? retryDelay(error, attempt, policy)
      : sendAgain.status(error, attempt, policy);
  },
  /** A request to a Worker, which knows what it had (`thread-requests.ts`, `event-feed.ts`): also without a response. */
  worker(error: unknown, attempt: number, policy: RetryPolicy): number | undefined {
    return isConnectionLost(error)
      ? retryDelay(error, attempt, policy)
      : sendAgain.status(error, attempt, policy);
  },
  /**
   * The request of an answer that cannot be used (`answer-step.ts`), with what `nudgeAfter` adds. An error within a
   * stream counts like its status, which the client has not seen.
   */
  answer(
    error: unknown,
    attempt: number,
    policy: AnswerRetryPolicy,
    hasBegun: boolean,
  ): number | undefined {
    if (!(error instanceof GeminiError) || attempt >= policy.attempts) return undefined;
    const passes = hasBegun && isPassing(error, retryDefaults);
    if (!policy.codes.includes(error.code) && !passes) return undefined;
    return Math.max(policy.initialMs * policy.factor ** (attempt - 1), error.retryAfterMs ?? 0);
  },
  /** The same request without a cache that is gone (`answer-step.ts`): once for each answer. */
  withoutCache: (error: unknown, attempt: number): number | undefined =>
    attempt === 1 && isCacheLost(error) ? 0 : undefined,
  /** The same request without the field `store` (`RequestFields`), which no request of the conversation has then. */
  withoutStore: (error: unknown): number | undefined => (isStoreUnknown(error) ? 0 : undefined),
  /** A shorter history (`answer-step.ts`), if a plugin shortens it: once, when the request turned out to be too large. */
  shortened: (error: unknown, attempt: number): number | undefined => {
    const isTooLarge = error instanceof HistoryError && error.code === 'context.too_large';
    return attempt === 1 && isTooLarge ? 0 : undefined;
  },
};

const nudges = new Map<ErrorCode, string>([
  ['answer.empty', 'Your last answer had no text. Please answer now.'],
  ['answer.thoughts_only', 'Your last answer had no text. Please answer now.'],
  ['answer.loop', 'Your last answer said the same again and again. Please answer in another way.'],
]);

/**
 * Returns the text that the next request of an answer has after its history, if any.
 *
 * @internal
 */
export function nudgeAfter(error: GeminiError, { nudge }: AnswerRetryPolicy): string | undefined {
  const standard = nudges.get(error.code);
  return standard === undefined || nudge === false ? undefined : nudge || standard;
}

// Longer delays are not awaited: five minutes, as in Gemini CLI (packages/core/src/utils/googleQuotaErrors.ts).
const longestServerDelay = 300_000;

function quotaIds(details: Json[]): string[] {
  const violations = details.flatMap((detail) => Object(detail).violations ?? []);
  return violations.map((violation: Json) => String(Object(violation).quotaId ?? ''));
}

// A daily quota, or a quota of 0, is not restored within the seconds that RetryInfo names.
function isQuotaExhausted(error: GeminiError): boolean {
  const daily = quotaIds(error.details).some((id) => /PerDay|Daily/i.test(id));
  return daily || /\blimit: 0(?![.\d])/.test(error.message);
}

// Returns whether the same request may succeed later.
function isPassing(error: unknown, policy: RetryPolicy): error is GeminiError {
  if (!(error instanceof GeminiError) || !policy.statuses.includes(error.status)) return false;
  return !isQuotaExhausted(error) && (error.retryAfterMs ?? 0) <= longestServerDelay;
}

// Returns whether there was no response, or not all of it.
const isConnectionLost = (error: unknown): error is GeminiError =>
  error instanceof GeminiError && ['network', 'timeout'].includes(error.code);

// Gemini returns 403 "CachedContent not found (or permission denied)", Vertex AI 404, and 400 "Cache content 683 is
// expired.".
function isCacheLost(error: unknown): boolean {
  if (!(error instanceof GeminiError) || ![400, 403, 404].includes(error.status)) return false;
  return /cached? ?content/i.test(error.message) && /not found|expired|denied/i.test(error.message);
}

// Google's words; a place would follow the name of a field that is not at the top level.
const unknownStore = /Unknown name "store"(?! at )/;
const isStoreUnknown = (error: unknown): boolean =>
  error instanceof GeminiError && error.status === 400 && unknownStore.test(error.message);

// Returns the delay after attempt number `attempt`, from 1: the policy's or the server's, whichever is longer.
function retryDelay(error: GeminiError, attempt: number, policy: RetryPolicy): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const chance = policy.jitter * Math.random();
  const longest = Math.min(policy.initialMs * policy.factor ** (attempt - 1), policy.maxMs);
  const own = longest * (1 - chance);
  const { retryAfterMs } = error;
  // Clients that receive the same retryAfterMs must not retry at the same time either.
  return retryAfterMs === undefined ? own : Math.max(own, retryAfterMs + policy.initialMs * chance);
}
