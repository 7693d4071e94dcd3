// Runs the agent loop: request an answer, run its functionCalls, and repeat until the model is done or a limit is
// reached.
import { textContent } from '../internal/content.js';
import type { AnswerSummary } from '../types/core-response.js';
import { answerStep } from './answer-step.js';
import { loadedToolUse, loadToolUse } from './load-tool-use.js';
import type { SendContext } from './send-request.js';

/**
 * Requests answers until the model calls no more tools and no plugin has another message. Returns the last one, with
 * the limit as its finishReason if one ended the rounds, or undefined if a tool paused its call.
 */
export async function runRounds(context: SendContext): Promise<AnswerSummary | undefined> {
  const { live, events, plugins } = context;
  let rounds = context.earlier.length;
  for (;;) {
    let answer = await answerStep(context);
    const { calls } = answer;
    if (calls.length > 0) {
      const { handleCalls } = loadedToolUse() ?? (await loadToolUse());
      const end = await handleCalls(calls, rounds++, context);
      if (end === 'paused') return undefined;
      if (end === 'answered') continue;
      answer = { ...answer, finishReason: end };
    }
    const message = await plugins.nextMessage(live.thread, answer);
    if (message === undefined || calls.length > 0) return answer;
    await events.put(await live.commit(textContent(message)));
  }
}
