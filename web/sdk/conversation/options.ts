// Why this file exists: what a Conversation can be told, apart from what it does.
import { cachingOptions, type CachingOptions } from '../plugins/caching/options.js';
import * as must from '../base/options.js';
import type { PromptSources } from '../prompt/prepare-prompt.js';
import type { StageObserver } from '../prompt/stages.js';
import { maskOptions } from '../core/thread.js';
import { answerRetryOptions, type AnswerRetryOptions } from './answer-retry.js';
import { loopOptions, type LoopDetectionOptions } from './loop-detection.js';
import { continueOptions, type ContinueOptions } from './continue-options.js';
import { compressionOptions, type CompressionOptions } from '../plugins/compression/options.js';
import { guardOptions, type GuardOptions } from '../plugins/guard/options.js';
import type { ConversationPlugin } from '../plugins/plugin.js';
import type { ConversationStore } from '../stores/store.js';
import type { ConfirmTool } from '../tools/run-tool.js';
import type { Tool } from '../types/tool.js';
import type { AssembleInput } from '../types/assemble.js';
import type { Backend } from '../types/backend.js';
import type { MaskOptions } from '../types/compaction.js';
import type { Thread } from '../types/thread.js';

type Dynamic = AssembleInput['dynamic'];

/** What stays the same for every request goes to `assemble` as it is. */
type SharedInput = Pick<
  AssembleInput,
  'static' | 'toolConfig' | 'generationConfig' | 'safetySettings' | 'strict'
>;

/** Options of `Conversation`; only `model` is needed. */
export interface ConversationOptions extends SharedInput, PromptSources {
  model: string;
  /** The service behind the client. Default: `gemini`. */
  backend?: Backend;
  /** Layer 2; a function is asked before each request, so that time and files are those of now. */
  dynamic?: Dynamic | (() => Dynamic | Promise<Dynamic>);
  /**
   * Where old turns go. `contents` (default): they stay in the request's `contents`, or in those of a
   * CachedContent. `text`: once the buffer is full they move, quoted, into the system instruction, where what
   * users and tools said stands with the system's authority.
   */
  cachedHistory?: AssembleInput['cachedHistory'];
  /** With `cachedHistory: 'text'`: tokens of recent turns at which older ones move. Default: the model's row. Negative: never. */
  bufferTokens?: number;
  /** Functions that this conversation runs, the API's own tool objects, and sources that find such. */
  tools?: Tool[];
  /** Goes on from here. Default: a new thread with `policy: 'repair'` and `sequencing: 'api'`. */
  thread?: Thread;
  /** The time, RFC 3339. Default: the system's clock. */
  now?: () => string;
  /** How often tools may run within one send. Default: 16. */
  maxToolRounds?: number;
  /** Milliseconds for one call of a tool; 0: no limit. Default: 60,000. */
  toolTimeoutMs?: number;
  /** Old results of tools become previews; `Conversation.kept` has them whole. Default: they stay. */
  masking?: boolean | MaskOptions;
  /** A history that grows long is summed up: docs/compression.md. Default: it is not. */
  compression?: boolean | CompressionOptions;
  /** Refuses, as `context.too_large`, what the model's context can't hold. Default: true. */
  contextGuard?: boolean | GuardOptions;
  /** Explicit caches, made and kept where they pay: docs/caching.md. Default: none. */
  caching?: boolean | CachingOptions;
  /** How many calls of one answer run at once. Default: 8. */
  maxParallelTools?: number;
  /** Asked before calls of tools that want a confirmation; without it they are refused. */
  confirmTool?: ConfirmTool;
  /** UTF-16 units of a result's text above which the prompt gets its head and tail only. Default: no limit. */
  maxResultChars?: number;
  /** The same calls again and again end the send, the same text is an event; `false`: nothing is looked for. */
  loopDetection?: LoopDetectionOptions | false;
  /** Goes on by itself while the model has more to say. Default: false. */
  continue?: ContinueOptions | false;
  /** What a send does while another is read. Default: `refuse`. */
  concurrent?: 'refuse' | 'queue';
  /** Where `Conversation.open` keeps it; the constructor stores nothing and refuses both. */
  store?: ConversationStore;
  /** Its name there. */
  id?: string;
  /** How an answer that broke off, or that is none, is asked for again; `false`: never. */
  answerRetry?: AnswerRetryOptions | false;
  /**
   * A call that came without its signature gets the placeholder that Google documents, at a cost in quality;
   * otherwise it is a fault, `answer.unusable`. Default: false.
   */
  dummySignatures?: boolean;
  /** Told of the stages of each request as they end, with what they took: docs/prompts.md. */
  onStage?: StageObserver;
  /** What else happens around each request: see ConversationPart. They run before those of other options. */
  plugins?: ConversationPlugin[];
}

const ofOpen: must.Check = (value, path) => {
  if (value === undefined) return;
  const message = `${path} belongs to Conversation.open: new Conversation stores nothing`;
  throw must.refusal('field.invalid', path, message);
};

/** Options of the constructor; what goes to `assemble` is checked there. */
export const conversationOptions: must.Shape<ConversationOptions> = {
  model: must.nonEmptyString,
  backend: must.optional(must.backend),
  static: must.optional(must.object),
  dynamic: must.functionOr(must.optional(must.object)),
  toolConfig: must.anything,
  generationConfig: must.anything,
  safetySettings: must.anything,
  cachedHistory: must.optional(must.oneOf('text', 'contents')),
  bufferTokens: must.optional(must.number),
  strict: must.optional(must.boolean),
  prompt: must.functionOr(must.optional(must.object)),
  arguments: must.functionOr(must.optional(must.object)),
  tools: must.optional(must.arrayOf(must.object)),
  thread: must.optional(must.objectWith('append', 'assemble', 'content')),
  now: must.optional(must.func),
  maxToolRounds: must.optional(must.nonNegative),
  toolTimeoutMs: must.optional(must.nonNegative),
  masking: must.booleanOr(must.shape(maskOptions)),
  compression: must.booleanOr(compressionOptions),
  contextGuard: must.booleanOr(guardOptions),
  caching: must.booleanOr(cachingOptions),
  maxParallelTools: must.optional(must.nonNegative),
  confirmTool: must.optional(must.func),
  maxResultChars: must.optional(must.nonNegative),
  loopDetection: must.booleanOr(loopOptions),
  continue: must.booleanOr(continueOptions),
  concurrent: must.optional(must.oneOf('refuse', 'queue')),
  store: ofOpen,
  id: ofOpen,
  answerRetry: must.booleanOr(answerRetryOptions),
  dummySignatures: must.optional(must.boolean),
  onStage: must.optional(must.func),
  plugins: must.optional(must.arrayOf(must.object)),
};

/** What `Conversation.open` needs besides. */
export const placeOptions: must.Shape<{ store: ConversationStore; id: string }> = {
  store: must.objectWith('read', 'write', 'store', 'readStored'),
  id: must.nonEmptyString,
};
