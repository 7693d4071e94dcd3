// Tells from a body for which API it was written, if that is not generateContent, and for which model.
import { parseLenient } from '../sdk/internal/json-text.js';
import { isObject, textOf, type JsonFields } from '../sdk/internal/json.js';
import type { OtherApi, Request } from './request.js';

/** The APIs as they are called in a sentence. */
export const apiNames: Record<OtherApi, string> = {
  interactions: 'the Interactions API',
  openai: "OpenAI's Chat Completions",
  responses: "OpenAI's Responses API",
  anthropic: "Anthropic's Messages API",
  bedrock: "Amazon Bedrock's Converse API",
};

const objectsIn = (value: unknown): JsonFields[] =>
  Array.isArray(value) ? value.filter((one): one is JsonFields => isObject(one)) : [];

// The parts of all messages.
const blocksOf = (messages: readonly JsonFields[]): JsonFields[] =>
  messages.flatMap(({ content }) => objectsIn(content));

const hasType = (values: readonly JsonFields[], types: RegExp) =>
  values.some(({ type }) => typeof type === 'string' && types.test(type));

/** The types that only steps of the Interactions API have. */
export const stepTypes = /^(?:user_input|model_output|thought|function_result)$/;

function apiOfMessages(body: JsonFields, messages: readonly JsonFields[]): OtherApi | undefined {
  const blocks = blocksOf(messages);
  const isConverse = blocks.some((one) =>
    ['toolUse', 'toolResult', 'text', 'image'].some((name) => !('type' in one) && name in one),
  );
  if (isConverse || 'inferenceConfig' in body || 'toolConfig' in body) return 'bedrock';
  const { model } = body;
  const isClaude = typeof model === 'string' && model.startsWith('claude');
  if (isClaude || 'anthropic_version' in body) return 'anthropic';
  if (hasType(blocks, /^(?:tool_use|tool_result|thinking|redacted_thinking)$/)) return 'anthropic';
  const isChat = messages.some((one) => 'content' in one || 'tool_calls' in one);
  return isChat ? 'openai' : undefined;
}

function apiOfInput(body: JsonFields): OtherApi {
  const items = objectsIn(body['input']);
  const isOpenAi = ['instructions', 'max_output_tokens', 'reasoning', 'text', 'include'].some(
    (name) => name in body,
  );
  const { model } = body;
  const isGpt = typeof model === 'string' && /^(?:gpt|o\d|codex)/.test(model);
  const isItems = hasType(items, /^(?:message|function_call_output|reasoning|item_reference)$/);
  return isOpenAi || isGpt || isItems ? 'responses' : 'interactions';
}

/** Returns the API for which a parsed body or list was written; undefined for generateContent, and if nothing tells. */
export function otherApiOf(value: unknown): OtherApi | undefined {
  if (Array.isArray(value)) {
    const items = objectsIn(value);
    if (items.some((one) => 'parts' in one)) return undefined;
    return hasType(items, stepTypes) ? 'interactions' : apiOfMessages({}, items);
  }
  if (!isObject(value) || 'contents' in value) return undefined;
  if ('messages' in value) return apiOfMessages(value, objectsIn(value['messages']));
  return 'input' in value || textOf(value['agent']) ? apiOfInput(value) : undefined;
}

/** What a body says about its request. */
export type Description = Pick<Request, 'model' | 'api' | 'kind'>;

/** Returns what a parsed body says about its request. */
export function describeBody(value: unknown): Description {
  const fields = isObject(value) ? value : {};
  const api = otherApiOf(value);
  // An agent takes the place of a model.
  const agent = api === 'interactions' ? textOf(fields['agent']) : '';
  const model = textOf(fields['model']) || agent;
  // Messages to a model of another vendor are checked for the one that is chosen.
  const isForeign = 'messages' in fields && !/gem(?:ini|ma)/.test(model);
  // Only CachedContents have an expiration.
  const isCache = 'ttl' in fields || 'expireTime' in fields || 'expire_time' in fields;
  return {
    ...(api && { api }),
    ...(model && !isForeign && { model }),
    kind: isCache ? 'cache' : 'generate',
  };
}

/** Returns the value of a JSON text, also of one that only Google's parser takes; undefined for other texts. */
export function parsedBody(text: string): unknown {
  try {
    return parseLenient(text);
  } catch {
    return undefined;
  }
}

/** Returns what the text of a body says about its request. */
export const describeText = (text: string): Description => describeBody(parsedBody(text));
