// Why this file exists: the calls of one answer become one Content with all their results, however the
// send ends: with an open call nothing could be sent any more.
import type { CallState, Toolbox, ToolCall } from '../tools/toolbox.js';
import { resultsContent } from './contents.js';
import type { ConversationEvent } from './events.js';
import type { LiveThread } from './live-thread.js';
import type { Events } from './told.js';

/** Runs the calls together. What was finished when this is left stays in the thread. */
export async function* runCalls(
  calls: ToolCall[],
  tools: Toolbox,
  live: LiveThread,
  signal: AbortSignal,
): Events {
  if (calls.length === 0) return;
  const step: CallState[] = calls.map((call) => ({ call }));
  let closed: ConversationEvent[];
  try {
    for (const call of calls) yield { type: 'toolCall', call };
    for await (const { call, response } of tools.run(step, signal)) {
      yield { type: 'toolResult', call, response };
    }
  } finally {
    closed = closeStep(step, live);
  }
  yield* closed;
}

/** Answers calls that are not run. */
export function refuseCalls(
  calls: ToolCall[],
  reason: string,
  live: LiveThread,
): ConversationEvent[] {
  const response = { error: reason };
  return closeStep(
    calls.map((call) => ({ call, response })),
    live,
  );
}

/** Every call gets its result; one that has none was stopped. */
export function closeStep(step: CallState[], live: LiveThread): ConversationEvent[] {
  return step.length > 0 ? live.append(resultsContent(step)) : [];
}
