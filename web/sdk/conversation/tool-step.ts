// Why this file exists: the calls of one answer become one Content with all their results, however the
// send ends: with an open call nothing could be sent any more.
import { inParallel } from '../tools/pool.js';
import { runTool } from '../tools/run-tool.js';
import type { ToolCall, ToolResponse } from '../types/tool.js';
import { resultsContent, type CallState } from '../tools/results-content.js';
import { fitResult, type FittedResult } from './large-result.js';
import type { LiveThread } from './live-thread.js';
import type { SendContext } from './request.js';
import { sendable } from './sendable.js';
import type { Events } from './event-queue.js';

const interrupted: ToolResponse = {
  error: 'The process ended while this call ran; nobody knows whether it took effect.',
};

/** Calls without a result in the thread, with what the store knows of them from before a crash. */
export function openStates(calls: ToolCall[], live: LiveThread): CallState[] {
  const before = live.openStep();
  return calls.map((call, index) => {
    const known = before?.results.get(index);
    const response = known ?? (before?.started.has(index) ? interrupted : undefined);
    return { call, ...(response && { response }) };
  });
}

/** Runs the calls together. What was finished when this is left stays in the thread. */
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
  let left = open.length;
  // What has finished is known at once: whoever leaves now must not lose it.
  const finished = inParallel(open, options.maxParallelTools ?? 8, async ({ state, index }) => {
    const result = await runOne(state.call, index, context);
    state.response = result.response;
    return result;
  });
  for await (const { item, result } of finished) {
    const { state, index } = item;
    const { response, storedAs } = result;
    // The last one is a turn at once.
    if (--left > 0) await live.journal.noteResult(index, response);
    yield { type: 'toolResult', call: state.call, response, ...(storedAs ? { storedAs } : {}) };
  }
}

async function runOne(call: ToolCall, index: number, context: SendContext): Promise<FittedResult> {
  const { live, tools, options, signal } = context;
  const { toolTimeoutMs: timeoutMs = 60_000, confirmTool: confirm } = options;
  const tool = tools.find(call.name);
  if (tool?.idempotent === false) await live.journal.noteStart(index);
  const response = await runTool(tool, call, { timeoutMs, confirm }, signal);
  return fitResult(sendable(response, call, context), call, context);
}

/** Answers calls that are not run. */
export async function* refuseCalls(
  calls: ToolCall[],
  reason: string,
  { live }: SendContext,
): Events {
  const response = { error: reason };
  yield* live.append(resultsContent(calls.map((call) => ({ call, response }))));
}

/** Gives every call its result; one that has none was stopped. Nothing waits: the send is over. */
export function closeStep(step: CallState[], { live }: Pick<SendContext, 'live'>): void {
  if (step.length > 0) live.appendNow(resultsContent(step));
}
