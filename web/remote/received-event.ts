// Converts events as the Worker sends them to those of a conversation: what is text there is bytes here.
import { textOf } from '../sdk/internal/json.js';
import { notUnderstood } from './remote-error.js';
import { isEventId } from './event-id.js';
import type { FinishReason } from '../sdk/types/gemini/response.js';
import type { RemoteEvent } from '../sdk/types/remote-event.js';

const bytesOfText = (text: unknown): Uint8Array => new TextEncoder().encode(textOf(text));

function parsed(data: string): { [name: string]: unknown; type: string } {
  try {
    const value = Object(JSON.parse(data));
    if (typeof value.type === 'string') return value;
  } catch {
    // It is reported like any other data that is no event.
  }
  throw notUnderstood('The server at `url` sent an event that is not JSON with a type');
}

/**
 * Returns the event with this id and this JSON.
 *
 * @throws RemoteError `answer.invalid` if it is not an event of a thread
 */
export function receivedEvent(eventId: string, data: string): RemoteEvent {
  const event = parsed(data);
  if (!isEventId(eventId))
    throw notUnderstood('The server at `url` sent an event without an id of a thread');
  if (event.type === 'request') event['body'] = bytesOfText(event['body']);
  if (event.type === 'turn') event['content'] = bytesOfText(event['content']);
  // Types that are newer than this package are passed on.
  return { ...event, eventId } as unknown as RemoteEvent;
}

const startsAnswer = ['text', 'thought', 'functionCall', 'part'];
const endsAnswer = ['turn', 'fault', 'request'];

/** Knows whether a part of an answer was received, and not its end. */
export class UnfinishedAnswer {
  #isPartial = false;

  /** Returns the events in the place of `event`: a `fault` before `resumed` says that a part counts for nothing. */
  mark(event: RemoteEvent): RemoteEvent[] {
    if (startsAnswer.includes(event.type)) this.#isPartial = true;
    if (endsAnswer.includes(event.type)) this.#isPartial = false;
    if (event.type !== 'resumed' || !this.#isPartial) return [event];
    this.#isPartial = false;
    return [interrupted, event];
  }
}

const interrupted: RemoteEvent = {
  type: 'fault',
  code: 'answer.cut',
  message: 'The process of the send ended before the answer was complete. It is requested again.',
  finishReason: 'FINISH_REASON_UNSPECIFIED' satisfies FinishReason,
};
