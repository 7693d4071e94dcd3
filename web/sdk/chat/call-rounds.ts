// Runs the functionCalls of one answer, or refuses them at the limit of rounds, or because a plugin says so.
import type { LimitReason } from '../types/conversation-event.js';
import type { ToolCall } from '../types/tool.js';
import type { CallRefusal } from './plugin.js';
import type { SendContext } from './send-request.js';
import { refuseCalls, runCalls } from './tool-step.js';

/**
 * What follows the calls of an answer. `answered`: the model gets another turn. `paused`: calls stay open. A
 * finishReason: the send ends there, and the calls were answered with an error.
 */
export type CallsEnd = 'answered' | 'paused' | LimitReason;

const limitOf = (rounds: number): CallRefusal => ({
  error: `Not run: tools ran ${rounds} times for this request, its limit.`,
  event: { type: 'limit', rounds },
  finishReason: 'MAX_TOOL_ROUNDS',
});

/** Runs the calls of an answer, or answers them with the reason why not. `rounds`: how often calls ran in this send. */
export async function handleCalls(
  calls: ToolCall[],
  rounds: number,
  context: SendContext,
): Promise<CallsEnd> {
  const { options, plugins, events } = context;
  const { maxToolRounds = 16 } = options;
  const refusal = rounds >= maxToolRounds ? limitOf(rounds) : await plugins.beforeCalls(calls);
  if (!refusal) return (await runCalls(calls, context)) ? 'answered' : 'paused';
  const { error, event, finishReason } = refusal;
  await refuseCalls(calls, error, context);
  if (event) await events.put([event]);
  return finishReason ?? 'answered';
}
