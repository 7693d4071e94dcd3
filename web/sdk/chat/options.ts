// Defines the options of `Conversation` and checks them.
import { isObject } from '../internal/json.js';
import * as must from '../internal/options.js';
import type { ArgumentSources } from '../types/prompt-arguments.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { StageObserver } from './stages.js';
import { answerRetryOptions, type AnswerRetryOptions } from '../client/send-again.js';
import {
  cachingOptions,
  compressionOptions,
  continueOptions,
  guardOptions,
  loopOptions,
  maskOptions,
  type CachingOptions,
  type CompressionOptions,
  type ContinueOptions,
  type GuardOptions,
  type LoopDetectionOptions,
} from './plugin-options.js';
import type { ConversationPlugin } from './plugin.js';
import { sendOptions, type SendOptions } from './event-channel.js';
import type { ConversationStore } from './store.js';
import type { ConfirmTool } from './tools/toolbox.js';
import { checkTool } from './tools/tool.js';
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

/** @throws StrataError `field.invalid` for two texts of layer 1 */
export function checkLayers(
  {
    static: layer,
    systemInstruction: text,
  }: Pick<ConversationOptions, 'static' | 'systemInstruction'>,
  path = '',
): void {
  if (layer === undefined || text === undefined) return;
  throw must.invalidOption(`${path}/systemInstruction`, 'omitted, because `static` is set');
}

/** @throws StrataError `field.invalid` for two origins of the turns */
export function checkOrigin({ thread, history }: ConversationOptions): void {
  if (thread !== undefined && history !== undefined)
    throw must.invalidOption('/history', 'omitted, because `thread` is set');
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

/**
 * Returns the options with the name whose rules hold: that of the agent, if it answers.
 *
 * @throws StrataError `field.invalid` for an option that an agent does not have
 * @internal
 */
export function withAnswerer<Options extends ConversationOptions>(
  options: AnyConversationOptions<Options>,
): Options {
  const given = options as Options;
  const { agent } = Object(given) as Options;
  if (agent === undefined) return given;
  must.nonEmptyString(agent, '/agent');
  if (given.model !== undefined && given.model !== agent)
    throw must.invalidOption('/model', 'omitted, because `agent` is set');
  checkAgent(given);
  return { ...given, model: agent };
}

/** @throws StrataError `field.invalid` for an option that only a model has */
function checkAgent(options: Pick<ConversationOptions, 'generationConfig' | 'toolConfig'>): void {
  for (const name of ['generationConfig', 'toolConfig'] as const)
    if (options[name] !== undefined)
      throw must.invalidOption(`/${name}`, 'omitted: an agent has `agentConfig`');
}

/**
 * Checks the options of one message against those of the conversation.
 *
 * @throws StrataError `field.invalid` for an option that an agent or the wire does not have
 */
export function checkMessage(
  { agent, ...options }: ConversationOptions,
  wire: Wire,
  message: MessageOptions,
): void {
  if (agent !== undefined) {
    if (message.model !== undefined)
      throw must.invalidOption('/model', 'omitted, because the conversation has an `agent`');
    checkAgent(message);
  }
  if (message.background !== undefined) checkStored({ ...options, ...message, agent }, wire);
}

/** @throws StrataError `field.invalid` for an option that only the Interactions API has, or that excludes another one */
function checkStored(options: ConversationOptions, wire: Wire | undefined): void {
  const { agent, background, storeRequests, state } = options;
  if (wire !== 'interactions')
    for (const name of ['agent', 'background'] as const)
      if (options[name])
        throw must.invalidOption(`/${name}`, "omitted, unless `wire` is 'interactions'");
  if (agent === undefined && options.agentConfig !== undefined)
    throw must.invalidOption('/agentConfig', 'omitted, unless `agent` is set');
  if (agent !== undefined && agent.startsWith('deep-research') && !background)
    throw must.invalidOption('/background', `true: ${agent} runs in the background only`);
  if (background && agent?.startsWith('antigravity'))
    throw must.invalidOption('/background', `omitted: ${agent} does not run in the background`);
  if (storeRequests === false && (state || background))
    throw must.invalidOption('/storeRequests', 'omitted or true, because Google keeps the history');
}

/** @throws StrataError `field.invalid` for an option that the API of this wire does not have, or that `state` excludes */
export function checkWire(options: ConversationOptions, wire: Wire | undefined): void {
  const { caching, state, cachedHistory } = options;
  must.optional(must.wire)(wire, '/wire');
  if (wire === 'interactions' && caching)
    throw must.invalidOption(
      '/caching',
      'omitted, because the Interactions API has no explicit caches',
    );
  checkStored(options, wire);
  // Old turns that stand in the instruction would be missing there: each request has one of its own.
  if (state !== undefined && cachedHistory === 'text')
    throw must.invalidOption('/cachedHistory', "'contents', because Google keeps the history");
}

// A path looks like a place to store something, and `false` like the API's field.
function checkStore(value: unknown, path: string): void {
  if (typeof value === 'string')
    throw must.invalidOption(path, "a store, such as new FileStore('data') of prompt-strata/node");
  if (typeof value === 'boolean' || value === null) {
    const expected = "a store; the API's field `store` is the option `storeRequests`";
    throw must.invalidOption(path, expected);
  }
}

const onlyForOpen: must.Check = (value, path) => {
  if (value === undefined) return;
  checkStore(value, path);
  const message = `${path} is an option of Conversation.open; new Conversation stores nothing`;
  throw must.optionError('field.invalid', path, message);
};

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

function booleanOrNull(check: must.Check): must.Check {
  return (value, path) => value === null || must.booleanOr(check)(value, path);
}

const responseForm = must.noValidator('pass it to `object`');

/**
 * Checks of the constructor's options without those of plugins; `assemble` checks its own inputs.
 *
 * @internal
 */
export const commonOptions: must.Shape<Omit<ConversationOptions, PluginOption>> = {
  model: must.nonEmptyString,
  wire: must.optional(must.wire),
  state: must.optional(must.oneOf('server')),
  agent: must.optional(must.nonEmptyString),
  agentConfig: must.optional(must.object),
  background: must.optional(must.boolean),
  backend: must.optional(must.backend),
  static: must.optional(must.object),
  systemInstruction: must.optional(must.string),
  dynamic: must.functionOr(must.optional(must.object)),
  toolConfig: must.unchecked,
  generationConfig: (value, path) => {
    const { responseSchema, responseJsonSchema } = Object(value);
    responseForm(responseSchema, `${path}/responseSchema`);
    responseForm(responseJsonSchema, `${path}/responseJsonSchema`);
  },
  safetySettings: must.unchecked,
  cachedHistory: must.optional(must.oneOf('text', 'contents')),
  bufferTokens: must.optional(must.number),
  strict: must.optional(must.boolean),
  tools: must.optional(must.arrayOf(checkTool)),
  thread: must.optional(must.objectWith('append', 'assemble', 'content')),
  history: must.unchecked,
  onAbort: must.optional(must.oneOf('keep', 'drop')),
  now: must.optional(must.func),
  limits: must.optional(must.object),
  maxToolRounds: must.optional(must.nonNegative),
  toolTimeoutMs: must.optional(must.nonNegative),
  maxParallelTools: must.optional(must.nonNegative),
  confirmTool: must.optional(must.func),
  onToolError: must.optional(must.func),
  maxResultChars: must.optional(must.nonNegative),
  loopDetection: must.booleanOr(loopOptions),
  continue: must.booleanOr(continueOptions),
  concurrent: must.optional(must.oneOf('refuse', 'queue')),
  serviceTier: must.optional(must.string),
  labels: must.optional(must.recordOf(must.string)),
  extra: must.unchecked,
  store: onlyForOpen,
  storeRequests: booleanOrNull(must.optional(must.boolean)),
  id: onlyForOpen,
  fallback: must.optional(must.arrayOf(must.nonEmptyString)),
  answerRetry: must.booleanOr(answerRetryOptions),
  dummySignatures: must.optional(must.boolean),
};

/**
 * Checks of the options that plugins implement.
 *
 * @internal
 */
export const pluginOptions: must.Shape<Pick<ConversationOptions, PluginOption>> = {
  prompt: must.functionOr(must.optional(must.object)),
  arguments: must.functionOr(must.optional(must.object)),
  masking: must.booleanOr(maskOptions),
  compression: must.booleanOr(compressionOptions),
  contextGuard: must.booleanOr(guardOptions),
  caching: must.booleanOr(cachingOptions),
  onStage: must.optional(must.func),
  plugins: must.optional(must.arrayOf(must.object)),
};

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

export const messageOptions: must.Shape<MessageOptions> = {
  ...sendOptions,
  model: must.optional(must.nonEmptyString),
  tools: commonOptions.tools,
  generationConfig: commonOptions.generationConfig,
  toolConfig: must.unchecked,
  safetySettings: must.unchecked,
  background: must.optional(must.boolean),
};

const isFields = (value: unknown): value is object => isObject(value) && !ArrayBuffer.isView(value);

/**
 * Returns the options of the conversation with those of one message.
 *
 * @internal
 */
export function withMessage(
  options: ConversationOptions,
  { signal: _, ...message }: MessageOptions,
): ConversationOptions {
  const { generationConfig: common, limits } = options;
  const { generationConfig: own, model } = message;
  const joined = isFields(common) && isFields(own) ? { ...common, ...own } : (own ?? common);
  const all = must.withDefaults(options, message);
  // Limits are those of one model.
  return { ...all, generationConfig: joined, limits: model === undefined ? limits : undefined };
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

export const objectOptions: must.Shape<ObjectOptions> = {
  ...messageOptions,
  onEvent: must.optional(must.func),
};

function checkSet(value: unknown, path: string, reason: string): void {
  if (value === undefined) throw must.invalidOption(path, `set, because ${reason}`);
}

const placeOptions: must.Shape<StorePlace> = {
  store: (value, path) => {
    checkStore(value, path);
    checkSet(value, path, '`id` names a conversation in it');
    must.objectWith('read', 'write', 'store', 'readStored')(value, path);
  },
  id: (value, path) => {
    checkSet(value, path, 'it names the conversation in `store`');
    must.nonEmptyString(value, path);
  },
  damaged: must.optional(must.oneOf('salvage')),
};

/**
 * Checks the options of `Conversation.open` and splits them into those of the constructor and the place.
 *
 * @internal
 */
export function splitPlace<Options extends StorePlace>(
  options: Options,
): { others: Omit<Options, keyof StorePlace>; place: StorePlace } {
  must.object(options, '');
  const { store, id, damaged, ...others } = options;
  const place = { store, id, damaged };
  must.checkOptions(place, placeOptions);
  return { others, place };
}
