// Decides whether a failed or unusable answer is requested again, after which delay, and which hint the next
// request adds.
import { GeminiError } from '../base/errors.js';
import * as must from '../base/options.js';
import type { ErrorCode } from '../types/codes.js';
import { isRetryable, retryPolicy } from '../client/retry.js';

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

/** @internal */
export const answerRetryOptions = must.shape<AnswerRetryOptions>({
  attempts: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  factor: must.optional(must.nonNegative),
  codes: must.optional(must.arrayOf(must.optional(must.string))),
  nudge: must.booleanOr(must.optional(must.string)),
});

/** @internal */
export type AnswerRetryPolicy = Required<AnswerRetryOptions>;

// A blocked prompt, a safety filter and the token limit are not retried: the same request fails again.
const defaults: AnswerRetryPolicy = {
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

const nudges = new Map<ErrorCode, string>([
  ['answer.empty', 'Your last answer had no text. Please answer now.'],
  ['answer.thoughts_only', 'Your last answer had no text. Please answer now.'],
  ['answer.loop', 'Your last answer said the same again and again. Please answer in another way.'],
]);

/**
 * Returns the policy for these options; `false` means a single attempt.
 *
 * @internal
 */
export function answerRetryPolicy(options: AnswerRetryOptions | false = {}): AnswerRetryPolicy {
  return options === false ? { ...defaults, attempts: 1 } : must.withDefaults(defaults, options);
}

/**
 * Returns the milliseconds until the next attempt, or undefined if `error` ends the send. `attempt` counts
 * from 1. `began` says that the answer had started to stream: the client retries a request that is refused
 * with an HTTP status, but not an error within the stream.
 *
 * @internal
 */
export function answerRetryDelay(
  error: unknown,
  attempt: number,
  began: boolean,
  policy: AnswerRetryPolicy,
): number | undefined {
  if (!(error instanceof GeminiError) || attempt >= policy.attempts) return undefined;
  const isTransient = began && isRetryable(error, retryPolicy());
  if (!policy.codes.includes(error.code) && !isTransient) return undefined;
  return Math.max(policy.initialMs * policy.factor ** (attempt - 1), error.retryAfterMs ?? 0);
}

/**
 * Returns the text that the next attempt adds to the request, if any.
 *
 * @internal
 */
export function nudgeAfter(error: GeminiError, { nudge }: AnswerRetryPolicy): string | undefined {
  const standard = nudges.get(error.code);
  return standard === undefined || nudge === false ? undefined : nudge || standard;
}
