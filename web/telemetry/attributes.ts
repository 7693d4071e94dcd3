// Names what a request, an answer and a call are, as version 0.1.0 of OpenTelemetry's semantic conventions for generative
// AI does: https://github.com/open-telemetry/semantic-conventions-genai/tree/v0.1.0/docs/gen-ai
import type { Attributes } from '@opentelemetry/api';
import { usageAt } from '../sdk/internal/cost.js';
import { isObject, type JsonFields } from '../sdk/internal/json.js';
import type { ObservedSend } from '../sdk/chat/plugin.js';
import type { ToolCall } from '../sdk/types/tool.js';

const providers = { gemini: 'gcp.gemini', vertex: 'gcp.vertex_ai' };

const finishReasons: Record<string, string> = {
  ...{ STOP: 'stop', MAX_TOKENS: 'length' },
  ...{ SAFETY: 'content_filter', RECITATION: 'content_filter', BLOCKLIST: 'content_filter' },
  ...{ PROHIBITED_CONTENT: 'content_filter', SPII: 'content_filter' },
};

/** Returns the conventions' word for a finishReason, or the API's in lower case. */
export const finishReasonOf = (reason: string): string =>
  finishReasons[reason] ?? reason.toLowerCase();

/** Returns what every span of a send says. */
export function attributesOf(
  operation: string,
  { backend, id, baseUrl }: ObservedSend,
): Attributes {
  const url = new URL(baseUrl);
  const port = url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port);
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providers[backend],
    ...(id !== '' && { 'gen_ai.conversation.id': id }),
    'server.address': url.hostname,
    'server.port': port,
  };
}

const fieldsOf = (value: unknown): JsonFields => (isObject(value) ? value : {});

// Settings that both APIs have, under the names of each.
const settings: [string, ...string[]][] = [
  ['gen_ai.request.choice.count', 'candidateCount'],
  ['gen_ai.request.seed', 'seed'],
  ['gen_ai.request.top_k', 'topK', 'top_k'],
  ['gen_ai.request.frequency_penalty', 'frequencyPenalty'],
  ['gen_ai.request.presence_penalty', 'presencePenalty'],
  ['gen_ai.request.max_tokens', 'maxOutputTokens', 'max_output_tokens'],
  ['gen_ai.request.temperature', 'temperature'],
  ['gen_ai.request.top_p', 'topP', 'top_p'],
];

/** Returns what a body asks for. */
export function attributesOfBody(body: JsonFields): Attributes {
  const config = fieldsOf(body['generationConfig'] ?? body['generation_config']);
  const found: Attributes = {};
  for (const [attribute, ...names] of settings) {
    const value = names.map((name) => config[name]).find((each) => typeof each === 'number');
    if (value !== undefined && !(attribute.endsWith('choice.count') && value === 1))
      found[attribute] = value;
  }
  const stops = config['stopSequences'] ?? config['stop_sequences'];
  if (Array.isArray(stops)) found['gen_ai.request.stop_sequences'] = stops as string[];
  const level = fieldsOf(config['thinkingConfig'])['thinkingLevel'] ?? config['thinking_level'];
  if (typeof level === 'string') found['gen_ai.request.reasoning.level'] = level;
  const previous = body['previous_interaction_id'];
  if (typeof previous === 'string') found['gen_ai.request.previous_response.id'] = previous;
  const mimeType = config['responseMimeType'] ?? fieldsOf(body['response_format'])['mime_type'];
  if (mimeType === 'application/json') found['gen_ai.output.type'] = 'json';
  return found;
}

const modalities: [string, string][] = [
  ['TEXT', 'text'],
  ['IMAGE', 'image'],
  ['AUDIO', 'audio'],
];

/** Returns what an answer used. What it does not report has no attribute. */
export function attributesOfUsage(metadata: object): Attributes {
  const { inputTokens, outputTokens, thoughtTokens, cachedTokens, ...rest } = usageAt(
    metadata,
    undefined,
  );
  if (rest.unknown?.includes('counts')) return {};
  const { input = {}, output = {}, cached = {} } = rest.modalities ?? {};
  const found: Attributes = {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens + thoughtTokens,
    ...(cachedTokens > 0 && { 'gen_ai.usage.cache_read.input_tokens': cachedTokens }),
    ...(thoughtTokens > 0 && { 'gen_ai.usage.reasoning.output_tokens': thoughtTokens }),
  };
  for (const [name, word] of modalities) {
    if (input[name]) found[`gen_ai.usage.${word}.input_tokens`] = input[name];
    if (output[name]) found[`gen_ai.usage.${word}.output_tokens`] = output[name];
    if (cached[name]) found[`gen_ai.usage.${word}.cache_read.input_tokens`] = cached[name];
  }
  return found;
}

/** Returns what a call is. */
export const attributesOfCall = ({ id, name }: ToolCall): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': 'function',
  ...(id !== undefined && { 'gen_ai.tool.call.id': id }),
});
