// Defines the options of `Conversation`; check-options.ts checks them.
import type { ArgumentSources } from '../types/prompt-arguments.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { StageObserver } from './stages.js';
import type { AnswerRetryOptions } from '../client/send-again.js';
import type {
  CachingOptions,
  CompressionOptions,
  ContinueOptions,
  GuardOptions,
  LoopDetectionOptions,
} from './plugin-options.js';
import type { ConversationPlugin } from './plugin.js';
import type { SendOptions } from './event-channel.js';
import type { ConversationStore } from './store.js';
import type { ConfirmTool } from './tools/toolbox.js';
import type { Tool, ToolCall } from '../types/tool.js';
import type { AssembleInput } from '../types/assemble.js';
import type { GenerationConfig, SafetySetting } from '../types/gemini/request.js';
import type { AgentConfig } from '../types/gemini/interaction.js';
import type { ToolConfig } from '../types/gemini/tools.js';
import type { JsonOf } from '../types/json.js';
import type { Backend, ModelTokenLimits } from '../types/model.js';
import type { Wire } from '../types/wire.js';
import type { AnswerMetadata, ConversationEvent } from '../types/conversation-event.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { TotalUsage } from '../types/usage.js';
import type { MaskOptions } from '../types/compaction.js';
import type { Thread, ThreadOptions } from '../types/thread.js';

/** Inputs of `assemble` that are the same for every request. */
export type SharedInput = Pick<
  AssembleInput,
  | 'toolConfig'
  | 'generationConfig'
  | 'safetySettings'
  | 'strict'
  | 'serviceTier'
  | 'labels'
  | 'extra'
>;

/** What functions for `prompt` and `arguments` receive about the history. */
export interface HistorySnapshot {
  /** Number of turns, including the user's message. */
  turns: number;
  /** The text of the user's last message, also while tools run for it; '' if there is none. */
  text: string;
}

/** A value for every request, or a function that is called before each. */
export type ValueOrFactory<Value> = Value | ((history: HistorySnapshot) => Value | Promise<Value>);

/** The sources of a request's prompt. */
export interface PromptSources {
  /** Sections that are compiled for each request: docs/prompts.md. Their templates can read `arguments`. */
  prompt?: ValueOrFactory<PromptInput> | undefined;
  /**
   * Input of `promptArguments`. `now` is the request's. Without `history`, `message.text` is the text of the
   * user's last message. The layers' templates can read the arguments, too; they override `variables`.
   */
  arguments?: ValueOrFactory<Partial<ArgumentSources>> | undefined;
}

/** Options of `Conversation`; only `model` is required. */
export interface ConversationOptions extends SharedInput, PromptSources {
  model: string;
  /**
   * The API that answers: docs/interactions.md. It can be changed between sends. `history` has Contents on either. With
   * `interactions` there is no explicit cache. Default: `generateContent`.
   */
  wire?: Wire | undefined;
  /**
   * With the wire `interactions`: `server` lets Google keep the history (`store: true`), so that a request has only what is
   * new. The text of `dynamic` stays in that history with each request. Where Google does not have it, also after a
   * rewind or for another model, the whole history is sent. Default: Google keeps nothing, and each request has the whole
   * history.
   */
  state?: 'server' | undefined;
  /**
   * With the wire `interactions`: the agent that answers, in place of `model`, such as `deep-research-preview-04-2026`. It
   * has no `generationConfig` and no `toolConfig`.
   */
  agent?: string | undefined;
  /** With `agent`: its settings, as Google names them, such as `{ type: 'deep-research' }`. */
  agentConfig?: AgentConfig | undefined;
  /**
   * With the wire `interactions`: answers are made in the background at Google, which stores them, and are asked for until
   * they are there. An abort cancels what runs. What else ends the send or the process does not: the next send takes the
   * answer. Agents of Deep Research need it. Default: false.
   */
  background?: boolean | undefined;
  /** The service whose rules hold. Default: the one that the client calls. */
  backend?: Backend | undefined;
  /**
   * Layer 1: a text, or a template with variables; `{}` renders the package's own template. Default: none.
   */
  static?: AssembleInput['static'] | undefined;
  /**
   * The system instruction as plain text: short for `static: { text }`. Set only one of the two.
   */
  systemInstruction?: string | undefined;
  /**
   * Layer 2, like `static`. Default: none. A function is called before each request, so that the time and files are
   * current. Its default `placement` is `before-current-turn`, so that the history stays a stable prefix:
   * docs/implicit-caching.md.
   */
  dynamic?:
    | AssembleInput['dynamic']
    | (() => AssembleInput['dynamic'] | Promise<AssembleInput['dynamic']>)
    | undefined;
  /**
   * Where old turns go. `contents` (default): they stay in the `contents` of the request or of a
   * CachedContent. `text`: once the buffer is full they move, quoted, into the system instruction, where text
   * of users and tools has the system's authority.
   */
  cachedHistory?: AssembleInput['cachedHistory'] | undefined;
  /**
   * With `cachedHistory: 'text'`: tokens of recent turns above which older ones move. Negative: never. Default:
   * the model's row in the catalogue.
   */
  bufferTokens?: number | undefined;
  /** Functions that this conversation runs, the API's own tool objects, and sources that discover either. */
  tools?: Tool[] | undefined;
  /**
   * The turns that came before: Contents, or what `Thread.save` returned. `connect` and `Conversation.open` also take
   * messages of OpenAI, the AI SDK or LangChain (docs/import.md), for which they load `prompt-strata/check`. Its system messages are the `systemInstruction`, if no layer 1 is given. A stored conversation
   * that has turns keeps its own.
   */
  history?: ThreadOptions['from'] | undefined;
  /** What an abort does with a message that has no answer yet: `keep` (default) it for the next send, or `drop` it. Turns in which tools ran are kept. */
  onAbort?: 'keep' | 'drop' | undefined;
  /** The thread to resume. Default: a new thread with `policy: 'repair'` and `sequencing: 'api'`. */
  thread?: Thread | undefined;
  /** Returns the current time, RFC 3339. Default: the system's clock. */
  now?: (() => string) | undefined;
  /** Token limits that replace those of the catalogue: `await client.models.get(model)`. With `thread`, those of the thread judge its requests. */
  limits?: ModelTokenLimits | undefined;
  /** Maximum number of tool rounds in one send. Default: 16. */
  maxToolRounds?: number | undefined;
  /** Time limit for one tool call in milliseconds; 0: no limit. Default: 60,000. */
  toolTimeoutMs?: number | undefined;
  /** Replaces old tool results with previews; `Conversation.readStored` returns the whole. Default: false. */
  masking?: boolean | MaskOptions | undefined;
  /** Summarizes a long history: docs/compression.md. Default: false. */
  compression?: boolean | CompressionOptions | undefined;
  /** Refuses requests that exceed the model's context, as `context.too_large`. Default: true. */
  contextGuard?: boolean | GuardOptions | undefined;
  /** Creates explicit caches and keeps them alive where they save money: docs/caching.md. Default: false. */
  caching?: boolean | CachingOptions | undefined;
  /** Maximum number of calls of one answer that run in parallel. Default: 8. */
  maxParallelTools?: number | undefined;
  /** Called before calls of tools that require confirmation; without it such calls are refused. */
  confirmTool?: ConfirmTool | undefined;
  /**
   * Called with what a tool threw or returned as an Error, of which the model receives only the message. Default: if
   * nobody reads the events of the send either, the error is printed with `console.error`.
   */
  onToolError?: ((error: unknown, call: ToolCall) => void) | undefined;
  /** Results above this length (UTF-16 code units) are cut to a head and a tail of this length together. Default: no limit. */
  maxResultChars?: number | undefined;
  /** Detects loops: repeated calls end the send, repeated text is an event. `false` disables both. */
  loopDetection?: LoopDetectionOptions | false | undefined;
  /** Continues without a new user message while the model has more to say. Default: false. */
  continue?: ContinueOptions | false | undefined;
  /** What a send does while another is running. Default: `refuse`. */
  concurrent?: 'refuse' | 'queue' | undefined;
  /** In `connect` and `Conversation.open`: where the conversation is stored. The constructor refuses it. */
  store?: ConversationStore | undefined;
  /**
   * The field `store`: whether Google stores the requests for the project's logs. Default: false for the Gemini
   * API at generativelanguage.googleapis.com; not sent to any other endpoint. null: never sent, so that the
   * project's setting decides.
   */
  storeRequests?: boolean | null | undefined;
  /** The conversation's name in the store. */
  id?: string | undefined;
  /**
   * The models that answer, one after the other, if one is overloaded (503), has no quota (429 without a delay, or for the
   * day) or is retired, once the client has given up on it: docs/fallback.md. The next send begins with `model` again.
   */
  fallback?: string[] | undefined;
  /** How an incomplete or unusable answer is requested again; `false`: never. */
  answerRetry?: AnswerRetryOptions | false | undefined;
  /**
   * Gives a functionCall that came without its signature the placeholder that Google documents, at a cost in
   * quality (https://ai.google.dev/gemini-api/docs/thought-signatures). Otherwise such an answer is a fault,
   * `answer.unusable`. Calls of the current turn in `history` get it, too, and on the Interactions API all earlier ones.
   * Default: false.
   */
  dummySignatures?: boolean | undefined;
  /** Called as each stage of a request ends, with its duration: docs/prompts.md. */
  onStage?: StageObserver | undefined;
  /** Plugins with hooks around each request: see ConversationPlugin. They run before the built-in ones. */
  plugins?: ConversationPlugin[] | undefined;
}

/**
 * Options of a conversation with an agent, which has no model of its own.
 *
 * @example
 * const agent = 'deep-research-preview-04-2026';
 * await connect({ apiKey, wire: 'interactions', agent, agentConfig: { type: 'deep-research' }, background: true });
 */
export type WithAgent<Options extends ConversationOptions> = Omit<
  Options,
  'model' | 'generationConfig' | 'toolConfig'
> & { agent: string; model?: undefined; generationConfig?: undefined; toolConfig?: undefined };

/** Options of `Conversation` that name a model, or those that name an agent. */
export type AnyConversationOptions<Options extends ConversationOptions = ConversationOptions> =
  Options | WithAgent<Options>;

/** Where `Conversation.open` stores a conversation. */
export interface StorePlace {
  store: ConversationStore;
  id: string;
  /**
   * `salvage`: if stored lines cannot be read, opens the others, and says in `Conversation.damage` what is missing. The
   * store has the original lines until the conversation first writes, and then under the name that `damage` tells.
   * Default: a damaged conversation is an error.
   */
  damaged?: 'salvage' | undefined;
}

/** The options that plugins implement. */
export type PluginOption =
  | 'prompt'
  | 'arguments'
  | 'onStage'
  | 'masking'
  | 'compression'
  | 'contextGuard'
  | 'caching'
  | 'plugins';

/** Options of one message. The next one has those of the conversation again. */
export interface MessageOptions extends SendOptions {
  /** The model that answers this message. It replaces `Conversation.thread` twice, as compression does. */
  model?: string | undefined;
  /** Replaces the tools of the conversation; `[]`: none. */
  tools?: Tool[] | undefined;
  /** Settings that replace those of the conversation with the same name; bytes and text replace all of them. */
  generationConfig?: JsonOf<GenerationConfig> | undefined;
  toolConfig?: JsonOf<ToolConfig> | undefined;
  safetySettings?: JsonOf<readonly SafetySetting[]> | undefined;
  /** Like the option of the conversation, for this message. */
  background?: boolean | undefined;
}

/** Options of `Conversation.object`. */
export interface ObjectOptions extends MessageOptions {
  /** Called with each event of the send. */
  onEvent?: ((event: ConversationEvent) => void) | undefined;
}

/** A valid answer of `Conversation.object`. */
export interface ObjectAnswer<Value> {
  /** What the schema yields. */
  object: Value;
  /** The token counts of all requests of the send. */
  usage: TotalUsage;
  /** Like `warnings` of `AskResult`. */
  warnings: Diagnostic[];
  /** Like `metadata` of `AskResult`. */
  metadata?: AnswerMetadata;
}
