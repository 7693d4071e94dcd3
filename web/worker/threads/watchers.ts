// Streams the events of a thread to any number of readers, as server-sent events or as one line of JSON each.
import { eventJson } from '../../sdk/internal/event-json.js';
import {
  eventIdText,
  startOfSend,
  type EventId,
  type EventLog,
  type LoggedEvent,
} from './event-log.js';
import type { VisibleEvent } from '../thread-event.js';

/** What a reader gets. */
export interface WatchOptions {
  /** The `accept` header of the request: `application/x-ndjson` selects lines of JSON. */
  accept?: string | null;
  /** The id after which the reader's events begin. Default: the beginning of the last send. */
  after?: EventId;
  /** The send with whose end, or with whose `waiting`, the stream ends. Default: it ends with the thread. */
  until?: number;
}

/** What tests change. */
interface WatchersOptions {
  /** Milliseconds between signs of life. Default: 15000. */
  pingMs?: number;
}

// Characters that arrive while a reader takes nothing, after which it is disconnected.
const behindLimit = 8 * 1024 * 1024;
// Bytes that are prepared before a reader asks for them.
const queueBytes = 16 * 1024;
// Signs of life that find the same bytes unread, after which a reader is disconnected: five minutes.
const unreadPings = 20;

/** How events are written. */
interface Format {
  type: string;
  ping: string;
  write(id: string, json: string): string;
  /** What a stream begins with that stays open: the id after which its events come. */
  begin(id: string): string;
}

// EventSource gives events with a name of their own only to listeners for that name, so they have none: the type is in
// the JSON.
const serverSentEvents: Format = {
  type: 'text/event-stream',
  ping: ': ping\n\n',
  write: (id, json) => `id: ${id}\ndata: ${json}\n\n`,
  // A reader whose connection breaks before the first event has a place, too.
  begin: (id) => `id: ${id}\n\n`,
};

const lines: Format = {
  type: 'application/x-ndjson',
  ping: '\n',
  write: (id, json) => `{"eventId":"${id}",${json.slice(1)}\n`,
  begin: () => '',
};

const formatFor = (accept: string | null | undefined): Format =>
  accept?.includes('application/x-ndjson') ? lines : serverSentEvents;

/**
 * One reader. It has a place in the log and takes what follows whenever its stream has room, so replayed and live
 * events are the same to it, a slow reader costs no memory, and no event waits for a reader.
 */
class Watcher {
  readonly body: ReadableStream<Uint8Array>;
  readonly #log: EventLog;
  readonly #format: Format;
  readonly #until: number;
  readonly #onEnd: (watcher: Watcher) => void;
  readonly #encoder = new TextEncoder();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #after: EventId;
  #wake: (() => void) | undefined;
  #pushedAtPull = 0;
  #enqueued = 0;
  #taken = 0;
  #pingsUnread = 0;

  constructor(
    log: EventLog,
    format: Format,
    { after, until }: { after: EventId; until: number },
    onEnd: (watcher: Watcher) => void,
  ) {
    this.#log = log;
    this.#format = format;
    this.#after = after;
    this.#until = until;
    this.#onEnd = onEnd;
    this.#pushedAtPull = log.pushedSize;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          const opening = until === Infinity ? format.begin(eventIdText(after)) : '';
          if (opening) this.#enqueue(opening);
        },
        pull: () => this.#pull(),
        cancel: () => this.#finish(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: queueBytes }),
    );
  }

  /** Takes note of a new event. Disconnects a reader that is too far behind. */
  notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
    // A stream with room asks for events by itself.
    if (wake || (this.#controller?.desiredSize ?? 0) > 0) this.#pushedAtPull = this.#log.pushedSize;
    if (this.#log.pushedSize - this.#pushedAtPull <= behindLimit) return;
    this.#disconnect(`The reader is more than ${behindLimit} bytes behind`);
  }

  /** Sends a sign of life unless bytes are on their way. Disconnects a reader that takes nothing for long. */
  ping(): void {
    const unread = queueBytes - (this.#controller?.desiredSize ?? queueBytes);
    const taken = this.#enqueued - unread;
    this.#pingsUnread = unread === 0 || taken !== this.#taken ? 0 : this.#pingsUnread + 1;
    this.#taken = taken;
    if (this.#pingsUnread >= unreadPings) this.#disconnect('The reader takes nothing');
    else if (unread === 0) this.#enqueue(this.#format.ping);
  }

  /** Sends a last event after those that the reader has been given, and ends the stream. */
  end(id: string, json: string): void {
    this.#enqueue(this.#format.write(id, json));
    this.#close();
  }

  async #pull(): Promise<void> {
    this.#pushedAtPull = this.#log.pushedSize;
    try {
      while (this.#controller && !this.#advance()) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  // Sends what follows, or ends the stream. Returns false if neither is possible yet.
  #advance(): boolean {
    const events = this.#log.after(this.#after).filter(({ id }) => id.send <= this.#until);
    const last = events.at(-1);
    if (last) {
      this.#after = last.id;
      this.#enqueue(events.map((event) => this.#textOf(event)).join(''));
      return true;
    }
    if (!this.#log.isEnded(this.#until)) return false;
    this.#close();
    return true;
  }

  #textOf({ id, json }: LoggedEvent): string {
    return this.#format.write(eventIdText(id), json);
  }

  #enqueue(text: string): void {
    const bytes = this.#encoder.encode(text);
    this.#enqueued += bytes.length;
    this.#controller?.enqueue(bytes);
  }

  #close(): void {
    const controller = this.#controller;
    this.#finish();
    controller?.close();
  }

  #disconnect(reason: string): void {
    this.#fail(new Error(`${reason}. Ask again for the events after the last one`));
  }

  #fail(error: unknown): void {
    const controller = this.#controller;
    this.#finish();
    controller?.error(error);
  }

  #finish(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    this.#onEnd(this);
    this.#wake?.();
  }
}

/** The readers of one thread. */
export class Watchers {
  readonly #log: EventLog;
  readonly #pingMs: number;
  readonly #watchers = new Set<Watcher>();
  #pings: ReturnType<typeof setInterval> | undefined;

  constructor(log: EventLog, { pingMs = 15_000 }: WatchersOptions = {}) {
    this.#log = log;
    this.#pingMs = pingMs;
    log.listen(() => {
      for (const watcher of this.#watchers) watcher.notify();
    });
  }

  /** The number of readers that are connected. */
  get size(): number {
    return this.#watchers.size;
  }

  /**
   * Returns a stream of the events after an id: first those of the past, then live. Call it after `EventLog.begin`, if
   * the stream is to end with what that began.
   *
   * @throws HttpError `events.expired` with the status 410 if some of the events were deleted
   */
  open(options: WatchOptions = {}): Response {
    const { after = startOfSend(this.#log.last.send), until = Infinity, accept } = options;
    this.#log.checkAvailable(after);
    const format = formatFor(accept);
    const place = { after, until };
    const watcher = new Watcher(this.#log, format, place, (ended) => this.#remove(ended));
    this.#watchers.add(watcher);
    this.#pings ??= setInterval(() => {
      for (const each of this.#watchers) each.ping();
    }, this.#pingMs);
    const headers = {
      'content-type': `${format.type}; charset=utf-8`,
      'cache-control': 'no-store',
    };
    return new Response(watcher.body, { headers });
  }

  /** Ends all streams with a last event that is not stored, because the thread is deleted. */
  end(event: VisibleEvent): void {
    const { last } = this.#log;
    const id = eventIdText({ ...last, n: last.n + 1 });
    for (const watcher of this.#watchers) watcher.end(id, eventJson(event));
  }

  #remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    clearInterval(this.#pings);
    this.#pings = undefined;
  }
}
