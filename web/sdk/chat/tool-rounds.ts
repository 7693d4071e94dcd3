// Runs the agent loop: request an answer, run its functionCalls, and repeat until the model is done or a limit is
// reached.
import { textContent } from '../internal/contents.js';
import type { AnswerSummary } from '../types/core-objects.js';
import { answerStep } from './answer-step.js';
import type { SendContext } from './send-request.js';
import type { DeclaredTools } from './tools/toolbox.js';

/** What runs tools. Most chats need it late or never. */
type ToolUse = typeof import('./tools/run-calls.js');

/** The tools of a conversation without any. */
export const noTools: DeclaredTools = {
  json: undefined,
  takeDiagnostics: () => [],
  find: () => undefined,
};

let loaded: ToolUse | undefined;

/** Returns the code if it is loaded, so that a tool round does not wait for it. */
export const loadedToolUse = (): ToolUse | undefined => loaded;

/** Loads the code. */
export async function loadToolUse(): Promise<ToolUse> {
  return (loaded ??= await import('./tools/run-calls.js'));
}

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
