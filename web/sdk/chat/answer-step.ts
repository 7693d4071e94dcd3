// Obtains one usable answer, with as many requests as the table of reasons to send again allows
// (client/send-again.ts). No part of an answer enters the thread before it is complete, so every attempt starts from the
// same turns.
import { sleep } from '../internal/lifetime.js';
import { GeminiError, HistoryError, requestIdOf } from '../internal/errors.js';
import { isCount } from '../internal/options.js';
import { redactMembers } from '../internal/redact.js';
import { readAnswer, type ReadAnswer } from '../client/read-answer.js';
import {
  answerRetryPolicy,
  isQuotaExhausted,
  nudgeAfter,
  sendAgain,
} from '../client/send-again.js';
import type { ErrorCode } from '../types/codes.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { AnswerEvent } from '../types/response.js';
import type { Manifest } from '../types/manifest.js';
import type { AnswerSummary, CoreResponse } from '../types/core-objects.js';
import { backgroundNote } from './background-note.js';
import type { ConversationThread } from './conversation-thread.js';
import { requestInput, sendRequest, type SendContext } from './send-request.js';

interface Received {
  answer: ReadAnswer;
  manifest: Manifest;
}

/** The requests for one answer so far. */
class Attempts {
  /** Requests whose answers could not be used, and this one. */
  count = 1;
  /** Those of this count: with the cache, and without it once the API has lost it. */
  caches = 1;
  /** Those that continued an interaction, and this one with the whole history. */
  states = 1;
  /** The interaction that the request continues. */
  interaction: string | undefined;
  /** Requests that turned out to be too large, and this one. */
  sizes = 1;
  /** The cache that the request names. */
  cacheName: string | undefined;
  /** What the request adds after a useless answer. */
  nudge: string | undefined;
  /** Whether its answer has begun. */
  hasBegun = false;
}

/** Requests until an answer is usable and appends it to the thread. */
export async function answerStep(context: SendContext): Promise<AnswerSummary> {
  const { plugins, live } = context;
  if (plugins.has('beforeTurn')) await replaceThread(context);
  const { answer, manifest } = await requestUntilUsable(context);
  await plugins.afterAnswer(answer.lastUsage, manifest);
  await live.journal.syncNotes();
  return answer;
}

async function requestUntilUsable(context: SendContext): Promise<Received> {
  const attempts = new Attempts();
  for (;;) {
    try {
      return await attempt(context, attempts);
    } catch (error) {
      if (!(await sendsAgain(error, context, attempts))) throw error;
    }
  }
}

/** Lets plugins replace the thread, and returns whether one did. */
async function replaceThread({ live, events, plugins }: SendContext): Promise<boolean> {
  const { thread, removals } = await plugins.beforeTurn(live.thread);
  if (thread === live.thread) return false;
  await events.put([await live.replace(thread, removals)]);
  return true;
}

/** Prepares another request after an error; returns whether there is one. */
async function sendsAgain(
  error: unknown,
  context: SendContext,
  attempts: Attempts,
): Promise<boolean> {
  const { plugins, events, fields, live, options } = context;
  // The size of the instruction and of the tools is known once a request was assembled: a plugin may shorten the
  // history only then.
  if (sendAgain.shortened(error, attempts.sizes) !== undefined) {
    attempts.sizes++;
    return replaceThread(context);
  }
  const refused = fields.refuse(error);
  if (refused) {
    await events.put([refused]);
    return true;
  }
  const { cacheName } = attempts;
  if (cacheName !== undefined && sendAgain.withoutCache(error, attempts.caches) !== undefined) {
    attempts.caches++;
    await events.put([{ type: 'cacheLost', name: cacheName }]);
    await plugins.onCacheLost(cacheName);
    return true;
  }
  const { interaction } = attempts;
  if (interaction !== undefined && sendAgain.withoutState(error, attempts.states) !== undefined) {
    attempts.states++;
    if (attempts.hasBegun) await events.put([faultEvent(error as GeminiError)]);
    live.forgetState();
    await events.put([{ type: 'stateLost', id: interaction }]);
    return true;
  }
  if (!(error instanceof GeminiError)) return false;
  if (await asksAgain(error, context, attempts)) return true;
  if (!options.fallback) return false;
  const { fallsBack } = await import('../../agent/fallback.js');
  if (!(await fallsBack(error, context, isQuotaExhausted(error)))) return false;
  Object.assign(attempts, new Attempts());
  return true;
}

const faultEvent = ({ code, message, finishReason = '' }: GeminiError): ConversationEvent => ({
  type: 'fault',
  code,
  message,
  finishReason,
});

// Errors of the Interactions API such as malformed_function_call are what generateContent says as the finishReason of an
// answer. Returns the code of that.
const faultOf = (word = '') =>
  `answer.${word.replace(/function_|tool_/, '').replace(/^missing_.*/, 'unusable')}` as ErrorCode;

/** Waits after an answer that cannot be used; returns whether another one is requested. */
async function asksAgain(
  error: GeminiError,
  { options, events, failed, watch }: SendContext,
  attempts: Attempts,
): Promise<boolean> {
  const { code } = error;
  const { count, hasBegun } = attempts;
  const policy = answerRetryPolicy(options.answerRetry);
  const codes = policy.codes.includes(faultOf(error.rpcStatus)) ? [code] : policy.codes;
  if (hasBegun) await events.put([faultEvent(error)]);
  failed.push(code);
  const delayMs = sendAgain.answer(error, count, { ...policy, codes, hasBegun, failed });
  if (delayMs === undefined) return false;
  await events.put([{ type: 'retry', code, delayMs, attempt: count }]);
  await sleep(delayMs, watch);
  attempts.count++;
  attempts.caches = 1;
  attempts.nudge = nudgeAfter(error, policy) ?? attempts.nudge;
  return true;
}

/** Sends one request, and reads its answer into the thread. */
async function attempt(context: SendContext, attempts: Attempts): Promise<Received> {
  const { live, client, watch: signal, events, plugins } = context;
  const { emit } = events;
  attempts.hasBegun = false;
  const mayRun = live.wire === 'interactions' && live.backgroundId !== undefined;
  const running = mayRun ? await runningFor(live) : undefined;
  const input = await requestInput(context, attempts.nudge);
  attempts.cacheName = input.cache?.name;
  attempts.interaction = running ?? input.previousInteraction?.id;
  const { request, response } = await sendRequest(context, input, running);
  attempts.hasBegun = true;
  const { manifest } = request;
  live.previous = manifest;
  const afterResponses = live.thread.state().hasResponses;
  const onUsage = (event: UsageEvent) => plugins.onUsage(event, manifest);
  const reading = { core: live.thread, client, signal, emit, onUsage, afterResponses, request };
  const sink = (received: AnswerEvent[]) => events.put(plugins.onEvents(received));
  const take = async (summary: ReadAnswer, content: CoreResponse) => {
    await acceptAnswer(context, summary, content, manifest);
    live.forget(backgroundNote);
    // What the nudge said would stay in the history that Google keeps.
    await live.noteState(attempts.nudge === undefined ? summary.response.responseId : undefined);
  };
  try {
    return { answer: await readAnswer(response, reading, sink, take), manifest };
  } catch (error) {
    const isOver = error instanceof GeminiError && !mayComeYet.includes(error.code);
    if (isOver && !signal.aborted) live.forget(backgroundNote);
    const isRun = running !== undefined || input.background;
    // Only another send begins another run after one that failed.
    if (isRun && isOver && error.rpcStatus) attempts.count = Infinity;
    throw error;
  }
}

// The answer of what ran in the background can be asked for again.
const mayComeYet: ErrorCode[] = ['network', 'timeout', 'answer.cut'];

/** Returns the interaction that was begun for the last turn before a failure or a restart, and may still run. */
async function runningFor(live: ConversationThread): Promise<string | undefined> {
  return (await import('./background.js')).runningInteraction(live);
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
