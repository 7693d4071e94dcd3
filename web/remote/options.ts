// Defines the options of `connectThread` and of the methods of a `RemoteThread`, and checks them.
import type { TokenSource } from '../sdk/client/access.js';
import type { CallOptions } from '../sdk/client/http.js';
import { retryOptions, type RetryListener, type RetryOptions } from '../sdk/client/send-again.js';
import { sendOptions, type SendOptions } from '../sdk/chat/event-channel.js';
import * as must from '../sdk/internal/options.js';
import { checkTool } from '../sdk/chat/tools/tool.js';
import type { ConfirmTool } from '../sdk/chat/tools/toolbox.js';
import type { JsonInput } from '../sdk/types/json.js';
import type { Fetch } from '../sdk/types/platform.js';
import {
  isFunctionTool,
  isToolSource,
  type FunctionTool,
  type ToolCall,
  type ToolSource,
} from '../sdk/types/tool.js';

/** Options of `connectThread`; only `url` is required. */
export interface ConnectOptions {
  /** The address of the Worker: `https://threads.example.workers.dev`. */
  url: string | URL;
  /** The caller's key, or a function that returns it for each request. Default: none, for a proxy that adds it. */
  key?: TokenSource | undefined;
  /** The id of the thread. Default: a new thread is created. */
  id?: string | undefined;
  /** The deployment's configuration of a new thread. Default: the one that the deployment names. */
  configuration?: string | undefined;
  /** The history of a new thread: a saved thread, Contents, or another client's history. Default: none. */
  from?: JsonInput | undefined;
  /**
   * Functions that run here when the model calls them, and sources that discover such functions. A new thread declares
   * them, if its configuration allows tools of callers; a thread with an `id` has declared its tools already.
   */
  tools?: (FunctionTool | ToolSource)[] | undefined;
  /** Called before calls of tools that require confirmation; without it such calls are refused. */
  confirmTool?: ConfirmTool | undefined;
  /** Called with what a tool of this caller threw. Default: it is printed with `console.error`. */
  onToolError?: ((error: unknown, call: ToolCall) => void) | undefined;
  /** Time limit for one tool call in milliseconds; 0: no limit. Default: 60,000. */
  toolTimeoutMs?: number | undefined;
  /** Maximum number of calls of one answer that run in parallel. Default: 8. */
  maxParallelTools?: number | undefined;
  /** Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * How often, and after which delays, a lost connection or a failed request is tried again; `false`: never. Attempts
   * are counted anew after each event. Default: 10 attempts, with at most 30 seconds between two of them, but
   * three until the server has answered once.
   */
  retry?: RetryOptions | false | undefined;
  /** Called before each attempt after the first. */
  onRetry?: RetryListener | undefined;
  /**
   * Milliseconds without data after which a connection counts as lost; 0: no limit. A Worker sends something every 15
   * seconds. Default: 60,000.
   */
  timeoutMs?: number | undefined;
  /** Ends connecting, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

const ownTool: must.Check = (value, path) => {
  checkTool(value, path);
  if (isFunctionTool(value as FunctionTool) || isToolSource(value as ToolSource)) return;
  throw must.invalidOption(
    path,
    'a function, or a source of functions: the deployment has the others',
  );
};

const isHttp = (text: string): boolean => /^https?:$/.test(new URL(text).protocol);

const httpUrl: must.Check = (value, path) => {
  try {
    if (isHttp(String(value))) return;
  } catch {
    // It is no URL at all.
  }
  throw must.invalidOption(path, 'the address of a Worker, https://…');
};

/** @internal */
export const connectOptions: must.Shape<ConnectOptions> = {
  url: httpUrl,
  key: must.functionOr(must.optional(must.nonEmptyString)),
  id: must.optional((value, path) => {
    if (typeof value === 'string' && /^[\w-]+$/.test(value)) return;
    throw must.invalidOption(path, 'the id of a thread, as `RemoteThread.id` has it');
  }),
  configuration: must.optional(must.nonEmptyString),
  from: must.unchecked,
  tools: must.optional(must.arrayOf(ownTool)),
  confirmTool: must.optional(must.func),
  onToolError: must.optional(must.func),
  toolTimeoutMs: must.optional(must.nonNegative),
  maxParallelTools: must.optional(must.nonNegative),
  fetch: must.optional(must.func),
  retry: must.booleanOr(retryOptions),
  onRetry: must.optional(must.func),
  timeoutMs: must.optional(must.nonNegative),
  signal: must.signal,
};

/** Options of `RemoteThread.watch`. */
export interface WatchOptions extends SendOptions {
  /** The `eventId` of the last event that is known already. Default: the last send from its first event. */
  after?: string | undefined;
}

/** @internal */
export const watchOptions: must.Shape<WatchOptions> = {
  ...sendOptions,
  after: must.optional(must.nonEmptyString),
};

/** Options of `RemoteThread.turns`. */
export interface TurnsOptions extends SendOptions {
  /** The number of turns to leave out, from the beginning. Default: 0. */
  after?: number | undefined;
}

/** @internal */
export const turnsOptions: must.Shape<TurnsOptions> = {
  ...sendOptions,
  after: must.optional(must.count),
};

/** Options of `RemoteThread.fork`. */
export interface ForkOptions extends SendOptions {
  /** The number of turns that the new thread has. Default: all. */
  turns?: number | undefined;
  /** The configuration of the new thread. Default: that of this thread. */
  configuration?: string | undefined;
}

/** @internal */
export const forkOptions: must.Shape<ForkOptions> = {
  ...sendOptions,
  turns: must.optional(must.count),
  configuration: must.optional(must.nonEmptyString),
};

/** @internal */
export type Signals = Pick<CallOptions, 'signal'>;
