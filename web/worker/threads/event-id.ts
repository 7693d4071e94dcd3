// Ids of events: `<send>.<attempt>.<n>`, ordered over all sends and attempts of a thread.

/** The place of an event: the number of its send, of the attempt at it, and of the event in the attempt, all from 1. */
export interface EventId {
  readonly send: number;
  readonly attempt: number;
  readonly n: number;
}

/** The id before all events. */
export const beforeAll: EventId = { send: 0, attempt: 0, n: 0 };

/** Returns the id before the first event of a send. */
export const startOfSend = (send: number): EventId => ({ send, attempt: 0, n: 0 });

/** Returns the id as text. */
export const eventIdText = ({ send, attempt, n }: EventId): string => `${send}.${attempt}.${n}`;

/** Reads the text of an id, as `Last-Event-ID` and `?after=` have it. Returns `undefined` for any other text. */
export function parseEventId(text: string): EventId | undefined {
  if (!/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(text)) return undefined;
  const [send = 0, attempt = 0, n = 0] = text.split('.').map(Number);
  return { send, attempt, n };
}

/** Returns a negative number if `a` comes before `b`, a positive one if it comes after it, and 0 for the same id. */
export const compareEventIds = (a: EventId, b: EventId): number =>
  a.send - b.send || a.attempt - b.attempt || a.n - b.n;
