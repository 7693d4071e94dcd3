// Writes answers in the form of the Interactions API: status, usage, and the events of a stream in their recorded order.
import type { Json } from '../sdk/types/json.js';

/** A JSON object. */
interface JsonObject {
  [name: string]: Json;
}

/** Returns the status of an answer with this finishReason. */
export function interactionStatus(
  finishReason: string,
  hasCalls: boolean,
): 'completed' | 'requires_action' | 'incomplete' | 'failed' {
  if (finishReason === 'MAX_TOKENS') return 'incomplete';
  if (finishReason !== 'STOP') return 'failed';
  return hasCalls ? 'requires_action' : 'completed';
}

/** Returns the errors of an answer, which say why it failed. */
export function interactionErrors(status: string, finishReason: string, message?: string) {
  if (status !== 'failed') return [];
  const text = message ?? `The answer ended with ${finishReason}.`;
  return [{ code: finishReason.toLowerCase(), message: text }];
}

const modalities = {
  input_tokens_by_modality: 'promptTokensDetails',
  cached_tokens_by_modality: 'cacheTokensDetails',
  output_tokens_by_modality: 'candidatesTokensDetails',
  tool_use_tokens_by_modality: 'toolUsePromptTokensDetails',
};

/** Returns the `usage` for the `usageMetadata` of a response of generateContent. */
export function interactionUsage(metadata: object): JsonObject {
  const given = metadata as Readonly<Record<string, unknown>>;
  // ProtoJSON writes some numbers as strings.
  const count = (value: unknown) => Number(value ?? 0) || 0;
  const details = Object.entries(modalities).flatMap(([name, source]) => {
    const listed = given[source];
    if (!Array.isArray(listed) || listed.length === 0) return [];
    const counts = listed.map((each) => {
      const { modality, tokenCount } = Object(each) as Record<string, unknown>;
      const kind = typeof modality === 'string' ? modality.toLowerCase() : 'text';
      return { modality: kind, tokens: count(tokenCount) };
    });
    return [[name, counts]];
  });
  return {
    total_tokens: count(given['totalTokenCount']),
    total_input_tokens: count(given['promptTokenCount']),
    ...(Object.fromEntries(details) as JsonObject),
    total_cached_tokens: count(given['cachedContentTokenCount']),
    total_output_tokens: count(given['candidatesTokenCount']),
    total_tool_use_tokens: count(given['toolUsePromptTokenCount']),
    total_thought_tokens: count(given['thoughtsTokenCount']),
  };
}

/** What an interaction says besides its steps. */
interface InteractionFields {
  /** undefined for a whole answer that is not stored. */
  id?: string | undefined;
  status: string;
  /** undefined while it runs. */
  usage?: JsonObject | undefined;
  errors?: readonly JsonObject[];
  /** When it was made, as a Date reads it. */
  created: string | number;
  steps?: Json[] | undefined;
  previous?: string | undefined;
  /** Its model or agent. */
  by: JsonObject;
}

/** Returns an interaction. */
export function interactionObject(fields: InteractionFields): JsonObject {
  const { id, status, usage, errors = [], created, steps, previous, by } = fields;
  const time = new Date(created).toISOString().replace(/\.\d+/, '');
  return {
    ...(id !== undefined && { id }),
    status,
    ...(usage && { usage }),
    ...(errors.length > 0 && { errors: [...errors] }),
    ...{ created: time, updated: time, service_tier: 'standard' },
    ...(steps && { steps }),
    ...(previous !== undefined && { previous_interaction_id: previous }),
    ...{ object: 'interaction', ...by },
  };
}

/** Returns the events that open a stream. */
export function openingEvents(id: string, by: JsonObject): JsonObject[] {
  const status = 'in_progress';
  return [
    {
      interaction: { id, status, object: 'interaction', ...by },
      event_type: 'interaction.created',
    },
    { interaction_id: id, status, event_type: 'interaction.status_update' },
  ];
}

/** Returns the event that starts a step. */
export function stepStart(
  index: number,
  { type = '', id = '', name = '' }: JsonObject,
): JsonObject {
  const step: JsonObject = type === 'function_call' ? { id, type, name, arguments: {} } : { type };
  return { index, step, event_type: 'step.start' };
}

/** Returns the event that adds to a step. */
export const stepDelta = (index: number, delta: JsonObject): JsonObject => ({
  index,
  delta,
  event_type: 'step.delta',
});

/** Returns the event that ends a step. */
export const stepStop = (index: number): JsonObject => ({ index, event_type: 'step.stop' });

/** The deltas of each kind. */
export const deltas = {
  text: (text: string) => ({ text, type: 'text' }),
  summary: (text: string) => ({ content: { text, type: 'text' }, type: 'thought_summary' }),
  signature: (signature: Json) => ({ signature, type: 'thought_signature' }),
  /** Pieces of the arguments as JSON. */
  arguments: (json: string) => ({ arguments: json, type: 'arguments_delta' }),
};

/** Returns an event as it is sent. */
export const eventFrame = (event: JsonObject): string =>
  `event: ${event['event_type'] as string}\ndata: ${JSON.stringify(event)}\n\n`;

/** What is sent behind the last event. */
export const doneFrame = 'event: done\ndata: [DONE]\n\n';
