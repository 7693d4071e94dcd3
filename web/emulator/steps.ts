// Writes an answer as the Interactions API does: its steps, its status, its usage and the events of its stream.
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { splitPart } from './chunks.js';
import { Failure, overloaded } from './errors.js';
import { applyStreamFault } from './faults.js';
import {
  deltas,
  doneFrame,
  eventFrame,
  interactionErrors,
  interactionObject,
  interactionStatus,
  interactionUsage,
  openingEvents,
  stepDelta,
  stepStart,
  stepStop,
} from '../server/interaction-form.js';
import type { Context, Interaction, Outcome } from './stores.js';
import type { Fault, JsonObject } from './types.js';
import { field, isObject, objectField, objectsField, SeededRandom, textField } from './wire.js';

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
  const candidate = objectsField(response, 'candidates')[0];
  // A candidate that was blocked has no content, or one without parts.
  const content = { parts: [], ...objectField(candidate, 'content') };
  const { body } = checker.convert(content, { to: 'interactions', model });
  const steps = (JSON.parse(decodeUtf8(body)) as unknown[]).filter(isObject);
  // Every answer opens with a thought, also where the model did not think.
  if (steps[0] && steps[0]['type'] !== 'thought')
    steps.unshift({ type: 'thought', ...(signature !== undefined && { signature }) });
  const reason = textField(candidate, 'finishReason') ?? 'STOP';
  const status = interactionStatus(
    reason,
    steps.some(({ type }) => type === 'function_call'),
  );
  const errors = interactionErrors(status, reason, textField(candidate, 'finishMessage'));
  const usage = interactionUsage(objectField(response, 'usageMetadata') ?? {});
  return { status, steps, usage, errors };
}

/** Returns an interaction as the API does, with these steps or, as the end of a stream, without steps. */
export function toResource(interaction: Interaction, steps?: JsonObject[]): JsonObject {
  const { id, by, usage, errors, previous, created } = interaction;
  const status = currentStatus(interaction);
  const isDone = status !== 'in_progress' && status !== 'cancelled';
  return interactionObject({
    // A whole answer that is not stored has no id.
    ...((id !== '' || !steps) && { id }),
    ...(isDone && { usage, errors }),
    ...{ status, created, steps, previous, by },
  });
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
  const frames = [...events.slice(seen + 1).map(eventFrame), doneFrame];
  if (fault?.kind === 'mid-stream-error')
    return [
      ...frames.slice(0, 4),
      eventFrame({ error: overloaded().inWord(), event_type: 'error' }),
    ];
  // The last frame but one completes the interaction.
  return fault?.kind === 'cut-stream' ? applyStreamFault(frames.slice(0, -1), fault) : frames;
}

function eventsOf(interaction: Interaction): JsonObject[] {
  const { id, by, steps } = interaction;
  const random = new SeededRandom(JSON.stringify(steps));
  return [
    ...openingEvents(id, by),
    ...steps.flatMap((step, index) => [
      stepStart(index, step),
      ...deltasOf(step, random).map((delta) => stepDelta(index, delta)),
      stepStop(index),
    ]),
    { interaction: toResource(interaction), event_type: 'interaction.completed' },
  ];
}

function deltasOf(step: JsonObject, random: SeededRandom): JsonObject[] {
  const pieces = (text: string) =>
    splitPart({ text }, random).map((piece) => textField(piece, 'text') ?? '');
  switch (step['type']) {
    case 'thought': {
      const { signature } = step;
      const summary = objectsField(step, 'summary')
        .flatMap((each) => pieces(textField(each, 'text') ?? ''))
        .map(deltas.summary);
      return signature === undefined ? summary : [...summary, deltas.signature(signature)];
    }
    case 'function_call':
      return pieces(JSON.stringify(step['arguments'] ?? {})).map(deltas.arguments);
    default:
      return objectsField(step, 'content').flatMap((content) => {
        const text = textField(content, 'text');
        return text === undefined ? [content] : pieces(text).map(deltas.text);
      });
  }
}
