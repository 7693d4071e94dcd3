// Runs the tools of a thread's caller, and posts their results. A call whose result could not be posted does not run
// again.
import { StrataError } from '../sdk/internal/errors.js';
import { printToolError } from '../sdk/internal/messages.js';
import { PausedCall } from '../sdk/chat/tools/tool.js';
import { inParallel, runTool, Toolbox } from '../sdk/chat/tools/toolbox.js';
import type { Json } from '../sdk/types/json.js';
import type { RemoteCall, RemoteEvent } from './remote-state.js';
import type { ToolCall, ToolResponse } from '../sdk/types/tool.js';
import type { ConnectOptions } from './options.js';
import { RemoteError } from './remote-error.js';
import type { ThreadRequests } from './thread-requests.js';

/** What a step of calls needs of its send. */
interface CallStep {
  requests: ThreadRequests;
  signal: AbortSignal;
  emit: (event: RemoteEvent) => void;
}

// Two calls with the same id differ if the thread was rewound between them.
const identityOf = ({ callId, name, args }: RemoteCall): string =>
  JSON.stringify([callId, name, args]);

function resultOf(callId: string, { output = null, error, parts }: ToolResponse): object {
  if (error !== undefined) return { callId, error };
  return { callId, response: output, ...(parts ? { parts } : {}) };
}

// Somebody else answered the call, or it is no longer open. The events of the send say what follows.
const isSettled = (error: unknown): boolean =>
  error instanceof RemoteError && ['call.answered', 'call.unknown'].includes(error.code);

/** The tools of one caller, and the results that were not posted yet. */
export class CallerTools {
  readonly #options: ConnectOptions;
  readonly #unposted = new Map<string, ToolResponse>();
  #toolbox: Promise<Toolbox> | undefined;

  constructor(options: ConnectOptions) {
    this.#options = options;
  }

  /**
   * Returns the declarations of the functions; undefined without any.
   *
   * @throws StrataError `tools.name_taken`, `schema.not_convertible` or `field.invalid`; what a source throws
   */
  async declarations(signal?: AbortSignal): Promise<Json[] | undefined> {
    const { json } = await this.#found(signal);
    if (json === undefined) return undefined;
    const [functions, ...others] = JSON.parse(json);
    if (functions.functionDeclarations && others.length === 0)
      return functions.functionDeclarations;
    throw new StrataError(
      'field.invalid',
      '/tools: a source discovered a tool that is no function',
    );
  }

  /** Answers the calls that a tool is here for. Returns whether all are answered. */
  async answer(calls: readonly RemoteCall[], step: CallStep): Promise<boolean> {
    const toolbox = await this.#found(step.signal);
    const own = calls.filter(({ name }) => toolbox.find(name));
    const { maxParallelTools = 8 } = this.#options;
    const work = (call: RemoteCall) => this.#answerOne(call, toolbox, step);
    let posted = 0;
    for await (const { result } of inParallel(own, maxParallelTools, work)) if (result) posted++;
    return posted === calls.length;
  }

  /** Forgets the results that were not posted, because their calls no longer exist. */
  forget(): void {
    this.#unposted.clear();
  }

  // A source that fails now may succeed for the next send.
  #found(signal: AbortSignal = new AbortController().signal): Promise<Toolbox> {
    const keepSchema = (schema: { [keyword: string]: Json }) => ({ schema, diagnostics: [] });
    this.#toolbox ??= Toolbox.discover(this.#options.tools ?? [], keepSchema, signal);
    this.#toolbox.catch(() => (this.#toolbox = undefined));
    return this.#toolbox;
  }

  async #answerOne(call: RemoteCall, toolbox: Toolbox, step: CallStep): Promise<boolean> {
    const { requests, signal } = step;
    const identity = identityOf(call);
    const response = this.#unposted.get(identity) ?? (await this.#run(call, toolbox, step));
    if (!response) return false;
    this.#unposted.set(identity, response);
    try {
      await requests.results([resultOf(call.callId, response)], { signal });
    } catch (error) {
      if (!isSettled(error)) throw error;
    }
    this.#unposted.delete(identity);
    return true;
  }

  /** Returns undefined if the tool paused the call. */
  async #run(
    { callId: _, ...call }: RemoteCall,
    toolbox: Toolbox,
    { signal, emit }: CallStep,
  ): Promise<ToolResponse | undefined> {
    const {
      toolTimeoutMs: timeoutMs = 60_000,
      confirmTool: confirm,
      onToolError = printToolError,
    } = this.#options;
    const known: ToolCall = call;
    const onInvalid = (issues: Extract<RemoteEvent, { type: 'invalidArguments' }>['issues']) =>
      emit({ type: 'invalidArguments', call: known, issues });
    const onError = (error: unknown) => onToolError(error, known);
    const options = { timeoutMs, confirm, onInvalid, onError };
    const response = await runTool(toolbox.find(call.name), known, options, signal);
    // The response of an aborted call is not the tool's.
    if (signal.aborted) throw signal.reason;
    return response instanceof PausedCall ? undefined : response;
  }
}
