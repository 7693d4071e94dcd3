// Ids of events: `<send>.<attempt>.<n>`, ordered over all sends and attempts of a thread.
import { eventJson } from '../../sdk/internal/event-json.js';
import { joinBytes, decodeUtf8 } from '../../sdk/internal/bytes.js';
import { HttpError } from '../../server/body.js';
import type { VisibleEvent } from '../thread-event.js';
import { piecesOf, type SqlDatabase } from '../sql.js';

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

/** An event in the log. */
export interface LoggedEvent {
  readonly id: EventId;
  /** The event as JSON, without line breaks. */
  readonly json: string;
  /** Whether the event ends its send for now: `stored` or `waiting`. */
  readonly ends: boolean;
}

// Events that are stored before anyone receives them.
const structural: readonly VisibleEvent['type'][] = [
  'sent',
  'resumed',
  'turn',
  'toolCall',
  'toolResult',
  'waiting',
  'failed',
  'stored',
];
const ending: readonly VisibleEvent['type'][] = ['stored', 'waiting'];

const batchCharacters = 32_000;
const batchMs = 1000;
// Recent events stay in memory, so that watchers who keep up cost no reads.
const recentCharacters = 64_000;
const retainedSends = 32;
const retainedBytes = 8 * 1024 * 1024;
const expiredKey = 'events_expired';

interface Batch extends Record<string, number> {
  send: number;
  attempt: number;
  first: number;
  last: number;
  ends: number;
}

/** The events of one thread. The tables must exist (`createTables`). There is one log of a thread at a time. */
export class EventLog {
  readonly #database: SqlDatabase;
  readonly #encoder = new TextEncoder();
  readonly #listeners = new Set<() => void>();
  #last: EventId;
  #isEnded: boolean;
  /** The last event that retention deleted. */
  #expired: EventId;
  /** Events that are not stored yet. */
  #batch: LoggedEvent[] = [];
  #batchSize = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last events, and the id before the first of them. */
  #recent: LoggedEvent[] = [];
  #recentSize = 0;
  #beforeRecent: EventId;
  #pushedSize = 0;

  constructor(database: SqlDatabase) {
    this.#database = database;
    const [row] = this.#batches('ORDER BY send DESC, attempt DESC, last DESC LIMIT 1');
    this.#last = row ? { send: row.send, attempt: row.attempt, n: row.last } : beforeAll;
    this.#isEnded = row?.ends === 1;
    this.#beforeRecent = this.#last;
    this.#expired = this.#readExpired();
  }

  /** The id of the last event, or after `begin` the id before the first event of the attempt; at first `0.0.0`. */
  get last(): EventId {
    return this.#last;
  }

  /** The characters of all events that were pushed since this object was created. */
  get pushedSize(): number {
    return this.#pushedSize;
  }

  /**
   * Begins an attempt at a send: the next events belong to it. Deletes events that have expired. After the process of
   * an attempt ended, the next attempt must have a higher number, because events that were never stored may have been
   * received. A send that continues after `waiting` may keep its number.
   *
   * @throws RangeError if the attempt does not come after all events of the log
   */
  begin(send: number, attempt: number): void {
    const { send: lastSend, attempt: lastAttempt } = this.#last;
    const isSame = send === lastSend && attempt === lastAttempt;
    const start = isSame ? this.#last : { send, attempt, n: 0 };
    if (compareEventIds(start, this.#last) < 0) {
      throw new RangeError(
        `Events of ${eventIdText(start)} cannot follow ${eventIdText(this.#last)}`,
      );
    }
    this.flush();
    this.#last = start;
    this.#isEnded = false;
    this.#expire();
  }

  /**
   * Adds an event to the attempt that `begin` named, and wakes the watchers. What must outlive the process (turns,
   * calls, results, the send's start and end) is stored before watchers see it. Returns the event's id.
   *
   * @throws any error of the storage; the event is then not part of the log
   */
  push(event: VisibleEvent): EventId {
    const id = { ...this.#last, n: this.#last.n + 1 };
    const logged = { id, json: eventJson(event), ends: ending.includes(event.type) };
    this.#batch.push(logged);
    this.#batchSize += logged.json.length;
    try {
      if (structural.includes(event.type) || this.#batchSize >= batchCharacters) this.flush();
      else this.#flushLater();
    } catch (error) {
      this.#batch.pop();
      this.#batchSize -= logged.json.length;
      throw error;
    }
    this.#last = id;
    this.#isEnded = logged.ends;
    this.#remember(logged);
    for (const listener of this.#listeners) listener();
    return id;
  }

  /**
   * Stores all events that wait for it. Call it when a send ends for whatever reason.
   *
   * @throws any error of the storage; the events are stored by the next call
   */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [first] = this.#batch;
    const last = this.#batch.at(-1);
    if (!first || !last) return;
    const { send, attempt, n } = last.id;
    const lines = this.#encoder.encode(this.#batch.map(({ json }) => json).join('\n'));
    const { sql } = this.#database;
    const insert =
      'INSERT INTO events (send, attempt, first, last, ends, piece, lines) VALUES (?, ?, ?, ?, ?, ?, ?)';
    this.#database.transactionSync(() => {
      for (const [piece, bytes] of piecesOf(lines).entries()) {
        sql.exec(insert, send, attempt, first.id.n, n, Number(last.ends), piece, bytes);
      }
    });
    this.#batch = [];
    this.#batchSize = 0;
  }

  /** Returns whether a send has ended, or waits for results. A send without events has not; 0 is no send. */
  isEnded(send: number): boolean {
    return send === 0 || send < this.#last.send || (send === this.#last.send && this.#isEnded);
  }

  /**
   * Returns the next events after an id, at most one batch, in order. An empty array means that there are none yet.
   *
   * @throws HttpError `events.expired` with the status 410 if events after the id were deleted
   */
  after(id: EventId): LoggedEvent[] {
    this.checkAvailable(id);
    if (compareEventIds(id, this.#beforeRecent) >= 0) return eventsAfter(id, this.#recent);
    const { send, attempt, n } = id;
    const [row] = this.#batches(
      'WHERE (send, attempt, last) > (?, ?, ?) ORDER BY send, attempt, last LIMIT 1',
      ...[send, attempt, n],
    );
    return row ? eventsAfter(id, this.#read(row)) : [];
  }

  /**
   * Checks that no event after the id was deleted.
   *
   * @throws HttpError `events.expired` with the status 410
   */
  checkAvailable(id: EventId): void {
    if (compareEventIds(id, this.#expired) >= 0) return;
    const message = `Events up to ${eventIdText(this.#expired)} are no longer stored: read the turns of the thread`;
    throw new HttpError(410, 'events.expired', message);
  }

  /** Calls `listener` after each event. Returns a function that ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #batches(clauses: string, ...parameters: number[]): Batch[] {
    const query = `SELECT send, attempt, first, last, ends FROM events ${clauses}`;
    return this.#database.sql.exec<Batch>(query, ...parameters).toArray();
  }

  #read({ send, attempt, first, last, ends }: Batch): LoggedEvent[] {
    const query =
      'SELECT lines FROM events WHERE send = ? AND attempt = ? AND last = ? ORDER BY piece';
    const rows = this.#database.sql.exec<{ lines: ArrayBuffer }>(query, send, attempt, last);
    const pieces = rows.toArray().map(({ lines }) => new Uint8Array(lines));
    const lines = decodeUtf8(joinBytes(pieces)).split('\n');
    return lines.map((json, index) => ({
      id: { send, attempt, n: first + index },
      json,
      ends: ends === 1 && first + index === last,
    }));
  }

  #remember(event: LoggedEvent): void {
    this.#pushedSize += event.json.length;
    this.#recent.push(event);
    this.#recentSize += event.json.length;
    while (this.#recentSize > recentCharacters) {
      const [oldest] = this.#recent;
      if (!oldest || oldest === this.#batch[0]) return;
      this.#recent.shift();
      this.#recentSize -= oldest.json.length;
      this.#beforeRecent = oldest.id;
    }
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => {
      try {
        this.flush();
      } catch {
        // The next event that must be stored meets the same error, and reports it.
      }
    }, batchMs);
  }

  #readExpired(): EventId {
    const query = 'SELECT value FROM thread WHERE key = ?';
    const [row] = this.#database.sql.exec<{ value: string }>(query, expiredKey).toArray();
    return (row && parseEventId(row.value)) ?? beforeAll;
  }

  // Deletes the oldest sends that are too many or too large. The send that begins and the one before it stay.
  #expire(): void {
    const { sql } = this.#database;
    const query =
      'SELECT send, SUM(LENGTH(lines)) AS size FROM events WHERE send < ? GROUP BY send ORDER BY send DESC';
    const sends = sql.exec<{ send: number; size: number }>(query, this.#last.send).toArray();
    let size = 0;
    const index = sends.findIndex(
      (send, age) => ((size += send.size) > retainedBytes && age > 0) || age >= retainedSends - 1,
    );
    const expired = sends[index]?.send;
    if (expired === undefined) return;
    this.#deleteUpTo(expired);
  }

  #deleteUpTo(send: number): void {
    const [row] = this.#batches('WHERE send = ? ORDER BY attempt DESC, last DESC LIMIT 1', send);
    if (!row) return;
    const expired = { send, attempt: row.attempt, n: row.last };
    const { sql } = this.#database;
    this.#database.transactionSync(() => {
      sql.exec('DELETE FROM events WHERE send <= ?', send);
      const upsert = 'INSERT OR REPLACE INTO thread (key, value) VALUES (?, ?)';
      sql.exec(upsert, expiredKey, eventIdText(expired));
    });
    this.#expired = expired;
  }
}

// Watchers who keep up ask for the last event, so the search begins at the end.
function eventsAfter(id: EventId, events: readonly LoggedEvent[]): LoggedEvent[] {
  const index = events.findLastIndex((event) => compareEventIds(event.id, id) <= 0);
  return events.slice(index + 1);
}
