// Obtains one usable answer, with as many requests as the retry policy allows. No part of an answer enters the
// thread before it is complete, so every attempt starts from the same turns.
import { sleep } from '../base/abort.js';
import { GeminiError, HistoryError } from '../base/errors.js';
import { isCount } from '../base/options.js';
import { redactMembers } from '../base/redact.js';
import { requestIdOf } from '../base/request-id.js';
import { readAnswer, type ReadAnswer } from '../client/read-answer.js';
import type { ErrorCode } from '../types/codes.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import type { AnswerEvent } from '../types/response.js';
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';
import type { Manifest } from '../types/manifest.js';
import type { AnswerSummary, CoreResponse } from '../types/core-response.js';
import { answerRetryDelay, answerRetryPolicy, nudgeAfter } from './answer-retry.js';
import type { TextWatch } from './loop-detection.js';
import { sendRequest, type SendContext } from './send-request.js';

interface Attempt {
  answer: ReadAnswer;
  manifest: Manifest;
}

/** Requests until an answer is usable and appends it to the thread. `watch` detects repeated text. */
export async function answerStep(context: SendContext, watch: TextWatch): Promise<AnswerSummary> {
  await replaceThread(context);
  const { answer, manifest } = await requestFitting(context, watch);
  await context.plugins.afterAnswer(answer.lastUsage, manifest);
  await context.live.journal.syncNotes();
  return answer;
}

/** Lets plugins replace the thread, and returns whether one did. */
async function replaceThread({ live, plugins, events }: SendContext): Promise<boolean> {
  const { thread, removals } = await plugins.beforeTurn(live.thread);
  if (thread === live.thread) return false;
  await events.put([await live.replace(thread, removals)]);
  return true;
}

// The size of the instruction and of the tools is known once a request was assembled: a plugin may shorten the history
// of a first request that is too large only then.
async function requestFitting(context: SendContext, watch: TextWatch): Promise<Attempt> {
  try {
    return await requestUntilUsable(context, watch);
  } catch (error) {
    const isTooLarge = error instanceof HistoryError && error.code === 'context.too_large';
    if (!isTooLarge || !(await replaceThread(context))) throw error;
    return requestUntilUsable(context, watch);
  }
}

async function requestUntilUsable(context: SendContext, watch: TextWatch): Promise<Attempt> {
  const { events } = context;
  let nudge: string | undefined;
  for (let attempt = 1; ; attempt++) {
    const progress = { began: false };
    try {
      return await attemptOnce(context, watch, nudge, progress);
    } catch (error) {
      if (!(error instanceof GeminiError)) throw error;
      const { code, message, finishReason = '' } = error;
      const policy = answerRetryPolicy(context.options.answerRetry);
      if (progress.began) await events.put([{ type: 'fault', code, message, finishReason }]);
      const delayMs = watch.isExhausted
        ? undefined
        : answerRetryDelay(error, attempt, progress.began, policy);
      if (delayMs === undefined) throw error;
      await events.put([{ type: 'retry', code, delayMs, attempt }]);
      await sleep(delayMs, context.signal);
      nudge = nudgeAfter(error, policy) ?? nudge;
    }
  }
}

async function attemptOnce(
  context: SendContext,
  watch: TextWatch,
  nudge: string | undefined,
  progress: { began: boolean },
): Promise<Attempt> {
  const { live, client, signal, events, meter } = context;
  const { emit } = events;
  const { assembled, response } = await sendRequest(context, nudge);
  const { manifest, body } = assembled;
  progress.began = true;
  live.previous = manifest;
  const afterResponses = live.thread.state().hasResponses;
  const prefixOf = (usage: UsageMetadata) => meter.add(usage, manifest);
  const request = { purpose: 'answer', model: live.model, body, manifest } as const;
  const reading = { core: live.thread, client, signal, emit, prefixOf, afterResponses, ...request };
  const watchPart = watch.start();
  const sink = (received: AnswerEvent[]) => {
    const { seen, error } = watchPart(received);
    const taken = events.put(seen);
    return error ? Promise.resolve(taken).then(() => Promise.reject(error)) : taken;
  };
  const answer = await readAnswer(response, reading, sink, (summary, content) =>
    acceptAnswer(context, summary, content, manifest),
  );
  return { answer, manifest };
}

/**
 * Moves a complete answer into the thread with its bytes unchanged; emits `empty` if it has no content. An answer
 * that the API itself would refuse to take back, such as a functionCall without its signature, is a fault, or gets
 * the documented placeholder.
 */
async function acceptAnswer(
  { live, client, options, events, spentSoFar }: SendContext,
  answer: AnswerSummary,
  received: CoreResponse,
  manifest: Manifest,
): Promise<void> {
  const { fault, blank, usage, finishReason } = answer;
  const errorOf = (code: ErrorCode, message: string, cause?: unknown) =>
    answerError(client, code, message, answer, received.content(), cause);
  if (fault) throw errorOf(fault.code, fault.message);
  if (blank) return events.put([{ type: 'empty', finishReason }]);
  const { model, backend } = live;
  const tokens = usage.candidatesTokenCount;
  const counted = isCount(tokens) ? { tokens } : {};
  const meta = { model, backend, manifest, spent: spentSoFar(), ...counted };
  const placeholder = options.dummySignatures ? { placeholder: true } : undefined;
  let appended: ConversationEvent[];
  try {
    appended = await live.commit(received, meta, placeholder);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    const message = `The API would refuse this answer in the next request: ${error.message}`;
    throw errorOf('answer.unusable', message, error);
  }
  await events.put(appended);
}

// Returns an error with everything that was received, without secrets that the server repeats.
function answerError(
  client: SendContext['client'],
  code: ErrorCode,
  message: string,
  { finishReason, response }: AnswerSummary,
  partial: Uint8Array | undefined,
  cause: unknown,
): GeminiError {
  const redact = (text: string) => client.redact(text);
  const repeated = redactMembers({ finishReason, requestId: requestIdOf(response) }, redact);
  const details = { partial: partial ?? null, ...repeated };
  return new GeminiError(code, redact(message), details, cause);
}
