// Runs the functionCalls of one answer and appends one Content with all results. Every exit answers every call:
// the API refuses a request that has a call without a functionResponse.
import { inParallel } from '../tools/pool.js';
import { runTool } from '../tools/run-tool.js';
import type { ToolCall, ToolResponse } from '../types/tool.js';
import { resultsContent, type CallState } from '../tools/results-content.js';
import { fitResult, type FittedResult } from './large-response.js';
import type { ConversationThread } from './conversation-thread.js';
import type { SendContext } from './send-request.js';
import { sendable } from './sendable-response.js';
import type { Events } from './event-queue.js';

const interrupted: ToolResponse = {
  error: 'The process ended while this call ran; nobody knows whether it took effect.',
};

/** Returns the unanswered calls, with the results that the store has from before a crash. */
export function openStates(calls: ToolCall[], live: ConversationThread): CallState[] {
  const stored = live.openStep();
  return calls.map((call, index) => {
    const known = stored?.results.get(index);
    const response = known ?? (stored?.started.has(index) ? interrupted : undefined);
    return { call, ...(response && { response }) };
  });
}

/** Runs the calls in parallel. If the caller stops early, the finished results stay in the thread. */
export async function* runCalls(calls: ToolCall[], context: SendContext): Events {
  if (calls.length === 0) return;
  const { live } = context;
  const step = openStates(calls, live);
  let finished = false;
  try {
    for (const call of calls) yield { type: 'toolCall', call };
    yield* runOpen(step, context);
    finished = true;
  } finally {
    if (!finished) closeStep(step, context);
  }
  yield* live.append(resultsContent(step));
}

async function* runOpen(step: CallState[], context: SendContext): Events {
  const { live, options } = context;
  const open = step.flatMap((state, index) => (state.response ? [] : [{ state, index }]));
  let remaining = open.length;
  // Each result is set as soon as the call finishes, so that an early exit does not lose it.
  const results = inParallel(open, options.maxParallelTools ?? 8, async ({ state, index }) => {
    const result = await runOne(state.call, index, context);
    state.response = result.response;
    return result;
  });
  for await (const { item, result } of results) {
    const { state, index } = item;
    const { response, storedAs } = result;
    // The last result is not recorded: the whole turn is stored right after it.
    if (--remaining > 0) await live.journal.recordResult(index, response);
    yield { type: 'toolResult', call: state.call, response, ...(storedAs ? { storedAs } : {}) };
  }
}

async function runOne(call: ToolCall, index: number, context: SendContext): Promise<FittedResult> {
  const { live, tools, options, signal } = context;
  const { toolTimeoutMs: timeoutMs = 60_000, confirmTool: confirm } = options;
  const tool = tools.find(call.name);
  if (tool?.idempotent === false) await live.journal.recordStart(index);
  const response = await runTool(tool, call, { timeoutMs, confirm }, signal);
  return fitResult(sendable(response, call, context), call, context);
}

/** Answers calls that are not run with `reason` as the error. */
export async function* refuseCalls(
  calls: ToolCall[],
  reason: string,
  { live }: SendContext,
): Events {
  const response = { error: reason };
  yield* live.append(resultsContent(calls.map((call) => ({ call, response }))));
}

/** Appends the results of a step when its send ends early; a call without a result gets `stopped`. */
export function closeStep(step: CallState[], { live }: Pick<SendContext, 'live'>): void {
  if (step.length > 0) live.appendNow(resultsContent(step));
}
