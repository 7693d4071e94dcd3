// Streams the events of a thread from any event on.
import { HttpError } from '../../server/body.js';
import { eventsQueryOf } from '../requests.js';
import { compareEventIds, parseEventId, startOfSend, type EventId } from './event-id.js';
import type { LiveThread } from './live-thread.js';
import type { Operation } from './operation.js';

// A process that has ended may have sent events that it did not store, so only the send is checked.
function placeOf({ sends }: LiveThread, text: string): EventId {
  const id = parseEventId(text);
  if (id && id.send <= sends.last) return id;
  const message =
    'Last-Event-ID, or ?after=, must be the id of an event of this thread: "<send>.<attempt>.<n>".';
  throw new HttpError(400, 'query.invalid', message);
}

function checkSend({ sends }: LiveThread, send: number): void {
  if (send > 0 && send <= sends.last) return;
  throw new HttpError(400, 'query.invalid', `?send= must be a send of this thread, not ${send}.`);
}

const later = (a: EventId | undefined, b: EventId): EventId =>
  a && compareEventIds(a, b) > 0 ? a : b;

/** Streams events. */
export async function events({ live, request }: Operation): Promise<Response> {
  const { after: text, send, untilEnd } = eventsQueryOf(request);
  const after = text === undefined ? undefined : placeOf(live, text);
  if (send !== undefined) checkSend(live, send);
  live.wake();
  const until = send ?? (untilEnd ? live.sends.last : undefined);
  const start = send === undefined ? after : later(after, startOfSend(send));
  return live.watchers.open({
    accept: request.headers.get('accept'),
    ...(start && { after: start }),
    ...(until !== undefined && { until }),
  });
}
