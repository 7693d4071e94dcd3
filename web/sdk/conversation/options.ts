// Why this file exists: what a Conversation can be told, apart from what it does.
import type { CachingOptions } from '../caching/options.js';
import type { ConversationPart } from './part.js';
import type { FunctionTool, RawTool } from '../tools/toolbox.js';
import type { AssembleInput, Backend, Thread } from '../types.js';

type Dynamic = AssembleInput['dynamic'];

/** What stays the same for every request goes to `assemble` as it is. */
type Fixed = Pick<
  AssembleInput,
  | 'static'
  | 'toolConfig'
  | 'generationConfig'
  | 'safetySettings'
  | 'cachedHistory'
  | 'bufferTokens'
  | 'strict'
>;

/** Options of `Conversation`; only `model` is needed. */
export interface ConversationOptions extends Fixed {
  model: string;
  /** The service behind the client. Default: `gemini`. */
  backend?: Backend;
  /** Layer 2; a function is asked before each request, so that time and files are those of now. */
  dynamic?: Dynamic | (() => Dynamic | Promise<Dynamic>);
  /** Functions that this conversation runs, and the API's own tool objects. */
  tools?: (FunctionTool | RawTool)[];
  /** Goes on from here. Default: a new thread with `sequencing: 'api'`. */
  thread?: Thread;
  /** The time, RFC 3339. Default: the system's clock. */
  now?: () => string;
  /** How often tools may run within one send. Default: 16. */
  maxToolRounds?: number;
  /** Milliseconds for one call of a tool; 0: no limit. Default: 60,000. */
  toolTimeoutMs?: number;
  /** Explicit caches, made and kept where they pay: docs/caching.md. Default: none. */
  caching?: boolean | CachingOptions;
  /** What else happens around each request: see ConversationPart. They run before those of other options. */
  parts?: ConversationPart[];
}
