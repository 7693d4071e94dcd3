// Obtains one usable answer, with as many requests as the retry policy allows. No part of an answer enters the
// thread before it is complete, so every attempt starts from the same turns.
import { sleep } from '../base/abort.js';
import { GeminiError } from '../base/errors.js';
import type { Manifest } from '../types/manifest.js';
import { faultError, faultOf } from './answer-fault.js';
import { answerRetryDelay, answerRetryPolicy, nudgeAfter } from './answer-retry.js';
import { readAnswer } from '../client/read-answer.js';
import { readContent } from '../base/content.js';
import { acceptAnswer, type AcceptedAnswer } from './accept-answer.js';
import type { TextWatch } from './loop-detection.js';
import { sendRequest, type SendContext } from './send-request.js';
import type { Events } from './event-queue.js';

interface Attempt {
  answer: AcceptedAnswer;
  manifest: Manifest;
}

/** Requests until an answer is usable and appends it to the thread. `watch` detects repeated text. */
export async function* answerStep(context: SendContext, watch: TextWatch): Events<AcceptedAnswer> {
  const { live, plugins } = context;
  yield* live.replace(yield* plugins.beforeTurn(live.thread));
  const { answer, manifest } = yield* requestUntilUsable(context, watch);
  yield* plugins.afterAnswer(answer.usage, manifest);
  return answer;
}

async function* requestUntilUsable(context: SendContext, watch: TextWatch): Events<Attempt> {
  const policy = answerRetryPolicy(context.options.answerRetry);
  let nudge: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const progress = { began: false };
    try {
      return yield* attemptOnce(context, watch, nudge, progress);
    } catch (error) {
      if (!(error instanceof GeminiError)) throw error;
      const { code, message, finishReason = '' } = error;
      if (progress.began) yield { type: 'fault', code, message, finishReason };
      const delayMs = watch.isExhausted
        ? undefined
        : answerRetryDelay(error, attempt, progress.began, policy);
      if (delayMs === undefined) throw error;
      yield { type: 'retry', code, delayMs, attempt };
      await sleep(delayMs, context.signal);
      nudge = nudgeAfter(error, policy) ?? nudge;
    }
  }
}

async function* attemptOnce(
  context: SendContext,
  watch: TextWatch,
  nudge: string | undefined,
  progress: { began: boolean },
): Events<Attempt> {
  const { live, strata, client, meter, signal } = context;
  const { assembled, response } = yield* sendRequest(context, nudge);
  const { manifest, body } = assembled;
  progress.began = true;
  live.previous = manifest;
  const request = { strata, client, model: live.model, body, signal };
  const events = meter.measure(readAnswer(response, request), manifest);
  const answer = yield* watch.passThrough(events);
  const readable = readContent(answer.content);
  const fault = faultOf(answer.finishReason, readable, live.endsInResults());
  if (fault) throw faultError(fault, answer);
  const accepted = { ...answer, readable };
  yield* acceptAnswer(context, accepted, manifest);
  return { answer: accepted, manifest };
}
