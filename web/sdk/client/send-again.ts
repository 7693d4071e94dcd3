// Says when a request is sent again, how often, and after which delay. The table `sendAgain` has a row for each reason;
// nothing else decides it, except web/agent/fallback.ts, which lets another model answer and loads on use. What continues an answer, or asks for a valid object, asks something new.
import { GeminiError, HistoryError } from '../internal/errors.js';
import * as must from '../internal/options.js';
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
   * `loopDetection.onText`). An error within a stream is retried as its HTTP status would be, and on the Interactions
   * API one such as `api.malformed_function_call` as `answer.malformed_call`.
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
type AnswerRetryPolicy = Required<AnswerRetryOptions>;

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

// Returns the milliseconds to wait, or undefined if this is no reason to send again. `attempt`: the number of the request
// that failed, from 1, among those for this reason.
type Reason<Policy = void> = (
  error: unknown,
  attempt: number,
  policy: Policy,
) => number | undefined;

const status: Reason<RetryPolicy> = (error, attempt, policy) =>
  isPassing(error, policy) ? retryDelay(error, attempt, policy) : undefined;

const chunk: Reason<RetryPolicy> = (error, attempt, policy) =>
  mayResume(error) ? retryDelay(error, attempt, policy) : status(error, attempt, policy);

const worker: Reason<RetryPolicy> = (error, attempt, policy) =>
  isConnectionLost(error) ? retryDelay(error, attempt, policy) : status(error, attempt, policy);

/** What is known about the answers of one send. */
interface SoFar {
  /** Whether the response to this request has begun. */
  hasBegun: boolean;
  /** The codes of those that could not be used. */
  failed: readonly ErrorCode[];
}

const answer: Reason<AnswerRetryPolicy & SoFar> = (error, attempt, policy) => {
  if (!(error instanceof GeminiError) || attempt >= policy.attempts) return undefined;
  // Once in a send.
  if (policy.failed.filter((code) => code === 'answer.loop').length > 1) return undefined;
  const passes = policy.hasBegun && isPassing(error, retryDefaults);
  if (!policy.codes.includes(error.code) && !passes) return undefined;
  return Math.max(policy.initialMs * policy.factor ** (attempt - 1), error.retryAfterMs ?? 0);
};

const once =
  (is: (error: unknown) => boolean): Reason =>
  (error, attempt) =>
    attempt === 1 && is(error) ? 0 : undefined;

/**
 * The reasons to send again: who does, and what is different then.
 *
 * @internal
 */
export const sendAgain = {
  /** `Http.retried`, for any call, the same request: the API is busy or has failed, and its status may pass. */
  status,
  /** `upload.ts`, a chunk from where the API says that it ended: also without a response. */
  chunk,
  /** `thread-requests.ts` and `event-feed.ts`, a request to a Worker, which knows what it had: also without a response. */
  worker,
  /**
   * `answer-step.ts`, the request of an answer that cannot be used, with what `nudgeAfter` adds. An error within a
   * stream (`hasBegun`) counts like its status, which the client has not seen.
   */
  answer,
  /** `answer-step.ts`, the request without a cache that is gone: once for each request of an answer. */
  withoutCache: once(isCacheLost),
  /** `RequestFields`, the request without the field `store`, which no later one of the conversation has. */
  withoutStore: once(isStoreUnknown),
  /** `answer-step.ts`, the request with the whole history, if the interaction that it continues is gone: once. */
  withoutState: once(isStateLost),
  /** `answer-step.ts`, a request that turned out to be too large, if a plugin then shortens the history: once. */
  shortened: once((error) => error instanceof HistoryError && error.code === 'context.too_large'),
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
/** @internal */
export function isQuotaExhausted(error: GeminiError): boolean {
  const daily = quotaIds(error.details).some((id) => /PerDay|Daily/i.test(id));
  // The Interactions API names it.
  if (error.rpcStatus === 'quota_exceeded') return true;
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

const mayResume = (error: unknown): error is GeminiError =>
  error instanceof GeminiError && ['network', 'timeout', 'server'].includes(error.kind);

// Gemini returns 403 "CachedContent not found (or permission denied)", Vertex AI 404, and 400 "Cache content 683 is
// expired.".
function isCacheLost(error: unknown): boolean {
  if (!(error instanceof GeminiError) || ![400, 403, 404].includes(error.status)) return false;
  return /cached? ?content/i.test(error.message) && /not found|expired|denied/i.test(error.message);
}

// There is no agreed text. 501: the interaction has steps of built-in tools (googleapis/js-genai#1694).
function isStateLost(error: unknown): boolean {
  if (!(error instanceof GeminiError) || ['auth', 'blocked'].includes(error.kind)) return false;
  return [400, 403, 404, 501].includes(error.status);
}

// Google's words; a place would follow the name of a field that is not at the top level.
const unknownStore = /Unknown name "store"(?! at )/;
function isStoreUnknown(error: unknown): boolean {
  return error instanceof GeminiError && error.status === 400 && unknownStore.test(error.message);
}

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
