// Checks the options of `Conversation`; options.ts defines them.
import { isObject } from '../internal/json.js';
import * as must from '../internal/options.js';
import { answerRetryOptions } from '../client/send-again.js';
import {
  cachingOptions,
  compressionOptions,
  continueOptions,
  guardOptions,
  loopOptions,
  maskOptions,
} from './plugin-options.js';
import { sendOptions } from './event-channel.js';
import { checkTool } from './tools/tool.js';
import type { Wire } from '../types/wire.js';
import type {
  ConversationOptions,
  AnyConversationOptions,
  StorePlace,
  PluginOption,
  MessageOptions,
  ObjectOptions,
} from './options.js';

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
