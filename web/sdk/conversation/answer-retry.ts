// Why this file exists: an answer that broke off, or that is none, is asked for again; how often, how long
// between, and with which word added, is policy.
import { GeminiError } from '../base/errors.js';
import * as must from '../base/options.js';
import { isRetryable, retryPolicy } from '../client/retry.js';

/** How an answer that can't be kept is asked for again. The user's turn stays; nothing else does. */
export interface AnswerRetryOptions {
  /** Requests in all, the first included. Default: 4. */
  attempts?: number;
  /** Milliseconds before the second attempt. Default: 1,000. */
  initialMs?: number;
  /** Each wait is this many times the one before. Default: 2. */
  factor?: number;
  /**
   * Codes worth another attempt. Default: `network`, `answer.cut`, `answer.invalid`,
   * `answer.malformed_call`, `answer.unexpected_call`, `answer.recitation`, `answer.other`,
   * `answer.thoughts_only`, `answer.empty`, `answer.unusable`, `answer.loop` (once; see `loopDetection.onText`). An error in mid-stream
   * counts as its HTTP status would.
   */
  codes?: string[];
  /**
   * Added to the request, never to the thread, after an answer that was empty or only thoughts, or that
   * repeated itself; false: nothing. Default: a sentence for each.
   */
  nudge?: string | false;
}

export const answerRetryOptions = must.shape<AnswerRetryOptions>({
  attempts: must.optional(must.nonNegative),
  initialMs: must.optional(must.nonNegative),
  factor: must.optional(must.nonNegative),
  codes: must.optional(must.arrayOf(must.optional(must.string))),
  nudge: must.booleanOr(must.optional(must.string)),
});

export type AnswerRetryPolicy = Required<AnswerRetryOptions>;

// Not among the codes: a blocked prompt, a filter, and the token limit. The same request meets them again.
const defaults: AnswerRetryPolicy = {
  attempts: 4,
  initialMs: 1000,
  factor: 2,
  codes: [
    ...['network', 'answer.cut', 'answer.invalid', 'answer.malformed_call'],
    ...['answer.unexpected_call', 'answer.recitation', 'answer.other'],
    ...['answer.thoughts_only', 'answer.empty', 'answer.unusable', 'answer.loop'],
  ],
  nudge: '',
};

const nudges = new Map([
  ['answer.empty', 'Your last answer had no text. Please answer now.'],
  ['answer.thoughts_only', 'Your last answer had no text. Please answer now.'],
  ['answer.loop', 'Your last answer said the same again and again. Please answer in another way.'],
]);

/** The policy of these options; `false` is a single attempt. */
export function answerRetryPolicy(options: AnswerRetryOptions | false = {}): AnswerRetryPolicy {
  return options === false ? { ...defaults, attempts: 1 } : must.withDefaults(defaults, options);
}

/**
 * Milliseconds until the next attempt; undefined where `error` ends the send. `attempt` counts from 1;
 * `began`: the answer had begun. What is refused with a status has had its attempts, in mid-stream not.
 */
export function answerRetryDelay(
  error: unknown,
  attempt: number,
  began: boolean,
  policy: AnswerRetryPolicy,
): number | undefined {
  if (!(error instanceof GeminiError) || attempt >= policy.attempts) return undefined;
  const passes = began && isRetryable(error, retryPolicy());
  if (!policy.codes.includes(error.code) && !passes) return undefined;
  return Math.max(policy.initialMs * policy.factor ** (attempt - 1), error.retryAfterMs ?? 0);
}

/** What the next attempt adds to the request. */
export function nudgeAfter(error: GeminiError, { nudge }: AnswerRetryPolicy): string | undefined {
  const own = nudges.get(error.code);
  return own === undefined || nudge === false ? undefined : nudge || own;
}
