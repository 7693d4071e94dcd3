// Runs the functionCalls of one answer and appends one Content with all results. Every exit answers every call:
// the API refuses a request that has a call without a functionResponse. Calls that their tools pause stay open, and
// no request follows. A conversation loads this file when it has tools, or when calls are open.
import { userContent } from '../../internal/contents.js';
import { HistoryError } from '../../internal/errors.js';
import type { DiagnosticCode } from '../../types/codes.js';
import type { LimitReason } from '../../types/conversation-event.js';
import type { SchemaIssue, ToolCall, ToolResponse } from '../../types/tool.js';
import type { ConversationThread } from '../conversation-thread.js';
import type { CallRefusal, CallResult } from '../plugin.js';
import type { SendContext } from '../send-request.js';
import { PausedCall } from './tool.js';
import { inParallel, runTool, stopped } from './toolbox.js';

export { Toolbox } from './toolbox.js';

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
  const { options, plugins, events, live } = context;
  const { maxToolRounds = 16 } = options;
  const refusal = rounds >= maxToolRounds ? limitOf(rounds) : await plugins.beforeCalls(calls);
  if (!refusal) return (await runCalls(calls, context)) ? 'answered' : 'paused';
  const { error, event, finishReason } = refusal;
  const step = calls.map((call) => ({ call, response: { error } }));
  const answered = await live.commit(resultsContent(step));
  await events.put(event ? [...answered, event] : answered);
  return finishReason ?? 'answered';
}

const interrupted: ToolResponse = {
  error: 'The process ended while this call ran; nobody knows whether it took effect.',
};

/** A call, and its response once it has one. */
interface CallState {
  call: ToolCall;
  response?: ToolResponse;
}

/** Returns the user Content with the responses of all calls, in their order and with their ids, as JSON. A call without one gets `missing`. */
function resultsContent(step: CallState[], missing: ToolResponse = stopped): string {
  return userContent(
    // JSON omits what is undefined.
    step.map(({ call: { id, name }, response: { parts, ...response } = missing }) => ({
      functionResponse: { id, name, response, parts },
    })),
  );
}

/** Returns the unanswered calls, with the results that the store has from before a crash. */
function openStates(calls: ToolCall[], live: ConversationThread): CallState[] {
  return calls.map((call, index) => {
    const response = live.storedResponse(index, interrupted);
    return { call, ...(response && { response }) };
  });
}

/**
 * Runs the calls in parallel. If the caller stops early, the finished results stay in the thread. Returns false if
 * tools paused calls: these stay open, and the others' results are kept for the next send.
 */
export async function runCalls(calls: ToolCall[], context: SendContext): Promise<boolean> {
  const { live, events } = context;
  const step = openStates(calls, live);
  let finished = false;
  try {
    await events.put(calls.map((call) => ({ type: 'toolCall', call })));
    await runOpen(step, context);
    finished = true;
  } finally {
    if (!finished) live.appendNow(closedContent(step, live));
  }
  const paused = step.filter(({ response }) => !response);
  if (paused.length > 0) {
    await pause(step, context);
    // A reader that leaves here does not abort the send, which is over.
    events.emit({ type: 'waiting', calls: paused.map(({ call }) => call) });
    return false;
  }
  await events.put(await live.commit(resultsContent(step)));
  return true;
}

// Keeps the results that are there. The store also knows which calls have started, but not that they are to run again.
async function pause(step: CallState[], { live, tools }: SendContext): Promise<void> {
  const results = step.flatMap(({ response }, index) =>
    response ? [{ index, result: response }] : [],
  );
  const hasStarted = ({ call, response }: CallState) =>
    !response && tools.find(call.name)?.idempotent === false;
  await live.pause(results, step.some(hasStarted));
}

async function runOpen(step: CallState[], context: SendContext): Promise<void> {
  const { live, options, events } = context;
  const open = step.flatMap((state, index) => (state.response ? [] : [{ state, index }]));
  let remaining = open.length;
  let isPaused = false;
  // Each result is set as soon as the call finishes, so that an early exit does not lose it.
  const results = inParallel(open, options.maxParallelTools ?? 8, async ({ state, index }) => {
    const result = await runOne(state.call, index, context);
    if (result) state.response = result.response;
    else isPaused = true;
    return result;
  });
  for await (const { item, result } of results) {
    remaining--;
    if (!result) continue;
    const { state, index } = item;
    const { response, storedAs, error } = result;
    // The last result is not recorded: the whole turn is stored right after it.
    if (remaining > 0 || isPaused) await live.journal.record(live.thread, index, response);
    const failed = error !== undefined;
    if (failed) options.onToolError?.(error, state.call);
    const event = { type: 'toolResult', call: state.call, response } as const;
    await events.put([{ ...event, ...(storedAs && { storedAs }), ...(failed && { error }) }]);
  }
}

/** Returns the result of a call, or undefined if its tool paused it. */
async function runOne(
  call: ToolCall,
  index: number,
  context: SendContext,
): Promise<(CallResult & { error?: unknown }) | undefined> {
  const { live, tools, options, plugins, watch } = context;
  const { toolTimeoutMs: timeoutMs = 60_000, confirmTool: confirm } = options;
  const tool = tools.find(call.name);
  if (tool?.idempotent === false) await live.journal.record(live.thread, index);
  const onInvalid = (issues: SchemaIssue[]) =>
    context.events.emit({ type: 'invalidArguments', call, issues });
  let error: unknown;
  const onError = (thrown: unknown) =>
    (error = thrown ?? new Error(`${call.name} threw ${thrown}`));
  const onNothing = () => warn(call, 'tools.no_result', context);
  if (!tool) warn(call, 'tools.undeclared', context);
  const callbacks = { onInvalid, onError, onNothing };
  const response = await runTool(tool, call, { timeoutMs, confirm, ...callbacks }, watch.signal);
  if (response instanceof PausedCall) return undefined;
  const result = { response: sendable(response, call, live, onError) };
  return { ...(await plugins.afterCall(live.thread, result, call)), error };
}

const warnings = {
  // A forgotten `return` looks like a tool that has nothing to say.
  'tools.no_result': (name: string) =>
    `The tool ${name} returned undefined, so the model received null. If it has no result, return null or a text.`,
  'tools.undeclared': (name: string) =>
    `The model called ${name}, but \`tools\` has no such function, so it received an error.`,
} satisfies Partial<Record<DiagnosticCode, (name: string) => string>>;

/** Warns about a tool, once in a conversation. */
function warn({ name }: ToolCall, code: keyof typeof warnings, context: SendContext): void {
  const { noted, events } = context;
  if (noted.has(name)) return;
  noted.add(name);
  const finding = {
    code,
    severity: 'warning',
    path: '/tools',
    message: warnings[code](name),
  } as const;
  events.emit({ type: 'diagnostics', diagnostics: [finding] });
}

/** Returns the response, or an error in the place of one that the API would refuse, so that the others can be sent. */
function sendable(
  response: ToolResponse,
  call: ToolCall,
  { thread }: ConversationThread,
  onError?: (error: unknown) => void,
): ToolResponse {
  const { diagnostics } = thread.checkResponses(resultsContent([{ call, response }]));
  const finding = diagnostics.find(({ severity }) => severity === 'error');
  if (!finding) return response;
  const error = `The result can't be sent: ${finding.message}`;
  onError?.(new HistoryError(finding.code, error, diagnostics));
  return { error };
}

// What came for a paused call counts, also where no send can take it any more.
function closedContent(
  step: CallState[],
  live: ConversationThread,
  missing?: ToolResponse,
): string {
  const turn = live.thread.length - 1;
  const closed = step.map((state, index) => {
    const later = state.response ? undefined : live.laterResult(turn, index);
    return later ? { ...state, response: sendable(later, state.call, live) } : state;
  });
  return resultsContent(closed, missing);
}

/** Answers the open calls of a send that ends early. A call without a result gets `error`, or `stopped`. */
export function closeOpenCalls(live: ConversationThread, error?: string): void {
  const { openCalls } = live.thread.state();
  if (openCalls.length === 0) return;
  const missing = error === undefined ? stopped : { error };
  live.appendNow(closedContent(openStates(openCalls, live), live, missing));
}
