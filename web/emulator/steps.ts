// Writes an answer as the Interactions API does: its steps, its status, its usage and the events of its stream.
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { splitPart } from './chunks.js';
import { Failure, overloaded } from './errors.js';
import { applyStreamFault } from './faults.js';
import type { Context, Interaction, Outcome } from './stores.js';
import type { Fault, JsonObject } from './types.js';
import {
  field,
  isObject,
  numberField,
  objectField,
  objectsField,
  SeededRandom,
  textField,
} from './wire.js';

/**
 * Returns what a response of generateContent is on the Interactions API. `signature` is that of the thought which opens
 * the answer if it has none.
 *
 * @throws Failure for a blocked prompt
 */
export function outcomeOf(
  { checker }: Context,
  model: string,
  response: JsonObject,
  signature: string | undefined,
): Outcome {
  const blockReason = textField(objectField(response, 'promptFeedback'), 'blockReason');
  if (blockReason !== undefined)
    throw new Failure(400, 'CONTENT_BLOCKED', `The prompt was blocked: ${blockReason}.`);
  const { body } = checker.convert(response, { to: 'interactions', model });
  const steps = (JSON.parse(decodeUtf8(body)) as unknown[]).filter(isObject);
  // Every answer opens with a thought, also where the model did not think.
  if (steps[0] && steps[0]['type'] !== 'thought')
    steps.unshift({ type: 'thought', ...(signature !== undefined && { signature }) });
  const candidate = objectsField(response, 'candidates')[0];
  const reason = textField(candidate, 'finishReason') ?? 'STOP';
  const status = statusOf(reason, steps);
  const message = textField(candidate, 'finishMessage') ?? `The answer ended with ${reason}.`;
  const errors = status === 'failed' ? [{ code: reason.toLowerCase(), message }] : [];
  return { status, steps, usage: usageOf(objectField(response, 'usageMetadata')), errors };
}

function statusOf(finishReason: string, steps: JsonObject[]): Outcome['status'] {
  if (finishReason === 'MAX_TOKENS') return 'incomplete';
  if (finishReason !== 'STOP') return 'failed';
  return steps.some(({ type }) => type === 'function_call') ? 'requires_action' : 'completed';
}

const modalities = {
  input_tokens_by_modality: 'promptTokensDetails',
  cached_tokens_by_modality: 'cacheTokensDetails',
  output_tokens_by_modality: 'candidatesTokensDetails',
  tool_use_tokens_by_modality: 'toolUsePromptTokensDetails',
};

function usageOf(metadata: JsonObject | undefined): JsonObject {
  const count = (name: string) => numberField(metadata, name) ?? 0;
  const details = Object.entries(modalities).flatMap(([name, source]) => {
    const listed = objectsField(metadata, source).map((each) => ({
      modality: (textField(each, 'modality') ?? 'text').toLowerCase(),
      tokens: numberField(each, 'tokenCount') ?? 0,
    }));
    return listed.length > 0 ? [[name, listed]] : [];
  });
  return {
    total_tokens: count('totalTokenCount'),
    total_input_tokens: count('promptTokenCount'),
    ...(Object.fromEntries(details) as JsonObject),
    total_cached_tokens: count('cachedContentTokenCount'),
    total_output_tokens: count('candidatesTokenCount'),
    total_tool_use_tokens: count('toolUsePromptTokenCount'),
    total_thought_tokens: count('thoughtsTokenCount'),
  };
}

/** Returns an interaction as the API does, with these steps or, as the end of a stream, without steps. */
export function toResource(interaction: Interaction, steps?: JsonObject[]): JsonObject {
  const { id, by, usage, errors, previous, created } = interaction;
  const status = currentStatus(interaction);
  const time = new Date(created).toISOString().replace(/\.\d+/, '');
  const isDone = status !== 'in_progress' && status !== 'cancelled';
  return {
    // A whole answer that is not stored has no id.
    ...((id !== '' || !steps) && { id }),
    status,
    ...(isDone && { usage }),
    ...(isDone && errors.length > 0 && { errors }),
    ...{ created: time, updated: time, service_tier: 'standard' },
    ...(steps && { steps }),
    ...(previous !== undefined && { previous_interaction_id: previous }),
    ...{ object: 'interaction', ...by },
  };
}

/** Returns the status that the API would name now. */
export function currentStatus({ isCancelled, wait, status }: Interaction): string {
  if (isCancelled) return 'cancelled';
  return wait > 0 ? 'in_progress' : status;
}

/**
 * Returns the frames of a stream. Those that can be resumed have ids.
 *
 * @param after the id of the last event that the client has, '' for none
 * @throws Failure for an id that the stream does not have
 */
export function streamOf(
  interaction: Interaction,
  {
    resumable,
    after = '',
    fault,
  }: { resumable: boolean; after?: string; fault?: Fault | undefined },
): string[] {
  const events = eventsOf(interaction).map((event, index) =>
    resumable ? { ...event, event_id: `event-${index + 1}` } : event,
  );
  const seen = events.findIndex((event) => after !== '' && field(event, 'event_id') === after);
  if (after !== '' && seen < 0)
    throw new Failure(400, 'INVALID_ARGUMENT', `There is no event '${after}'.`);
  const frames = [...events.slice(seen + 1).map(frameOf), 'event: done\ndata: [DONE]\n\n'];
  if (fault?.kind === 'mid-stream-error')
    return [...frames.slice(0, 4), frameOf({ error: overloaded().inWord(), event_type: 'error' })];
  // The last frame but one completes the interaction.
  return fault?.kind === 'cut-stream' ? applyStreamFault(frames.slice(0, -1), fault) : frames;
}

const frameOf = (event: JsonObject): string =>
  `event: ${textField(event, 'eventType')}\ndata: ${JSON.stringify(event)}\n\n`;

function eventsOf(interaction: Interaction): JsonObject[] {
  const { id, by, steps } = interaction;
  const status = 'in_progress';
  const random = new SeededRandom(JSON.stringify(steps));
  return [
    {
      interaction: { id, status, object: 'interaction', ...by },
      event_type: 'interaction.created',
    },
    { interaction_id: id, status, event_type: 'interaction.status_update' },
    ...steps.flatMap((step, index): JsonObject[] => [
      { index, step: startOf(step), event_type: 'step.start' },
      ...deltasOf(step, random).map((delta) => ({ index, delta, event_type: 'step.delta' })),
      { index, event_type: 'step.stop' },
    ]),
    { interaction: toResource(interaction), event_type: 'interaction.completed' },
  ];
}

function startOf({ type = '', id = '', name = '' }: JsonObject): JsonObject {
  return type === 'function_call' ? { id, type, name, arguments: {} } : { type };
}

function deltasOf(step: JsonObject, random: SeededRandom): JsonObject[] {
  const pieces = (text: string) => splitPart({ text }, random);
  switch (step['type']) {
    case 'thought': {
      const { signature } = step;
      const texts = objectsField(step, 'summary').flatMap((each) =>
        pieces(textField(each, 'text') ?? ''),
      );
      const summary = texts.map((piece) => ({
        content: { ...piece, type: 'text' },
        type: 'thought_summary',
      }));
      return signature === undefined
        ? summary
        : [...summary, { signature, type: 'thought_signature' }];
    }
    case 'function_call':
      return pieces(JSON.stringify(step['arguments'] ?? {})).map(({ text = '' }) => ({
        arguments: text,
        type: 'arguments_delta',
      }));
    default:
      return objectsField(step, 'content').flatMap((content) => {
        const text = textField(content, 'text');
        return text === undefined
          ? [content]
          : pieces(text).map((piece) => ({ ...piece, type: 'text' }));
      });
  }
}
