// Delivers the events of a send to its reader, which sets the pace: the send runs only while the reader waits for an
// event. Somebody who wants all of them has them as they come, and waits for the end alone. One send of a conversation
// runs at a time.
import { StrataError, showCaller } from '../internal/errors.js';
import * as must from '../internal/options.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { noAnswerYet, type AskResult, type ResultReader } from './ask-result.js';

/** Options of one send. */
export interface SendOptions {
  /** Aborts the send, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export const sendOptions: must.Shape<SendOptions> = { signal: must.signal };

/** What ends a send whose reader has left. */
const left = new Error('The reader left');

type Result<Event> = IteratorResult<Event, undefined>;

interface Waiting<Value> {
  resolve: (value: Value) => void;
  reject: (reason: unknown) => void;
}

/** The events of one send, which starts when the first event is requested. */
export class EventChannel<
  Event extends object = ConversationEvent,
> implements AsyncIterableIterator<Event> {
  readonly #send: (events: EventChannel<Event>) => Promise<void>;
  readonly #onReturn: () => unknown;
  readonly #observe: ((event: Event) => void) | undefined;
  /** Why the send was aborted when its reader left. */
  #abortReason: unknown = left;
  #running: Promise<void> | undefined;
  #isLeft = false;
  /** Why the send was ended. */
  #ended: { error: unknown } | undefined;
  #isOver = false;
  /** Events, of which those from index `#read` on are not requested yet; none while a reader waits. */
  #queue: readonly Event[] = [];
  #read = 0;
  /** Whether somebody may keep the events. */
  hasReader = true;
  readonly #readers: Waiting<Result<Event>>[] = [];
  /** Takes each event at once; there are no readers then. */
  #take: ((event: Event) => void) | undefined;
  /** The send, while it waits for a reader. */
  #paused: Waiting<void> | undefined;
  /** What the send has thrown, until a reader asks for it. */
  #failure: { error: unknown } | undefined;
  readonly #call: Error | undefined;

  /**
   * `send` passes its events to the channel. `onReturn` is called when the reader leaves early: it aborts the send and
   * returns the reason. An error that is thrown while nobody waits for it shows the caller, whom the stack of `call`
   * has. `observe` gets each event, also those that no reader takes any more.
   */
  constructor(
    send: (events: EventChannel<Event>) => Promise<void>,
    onReturn: () => unknown,
    call?: Error,
    observe?: (event: Event) => void,
  ) {
    this.#send = send;
    this.#onReturn = onReturn;
    this.#observe = observe;
    this.#call = call;
  }

  /** Whether the first event was requested. */
  get hasStarted(): boolean {
    return this.#running !== undefined;
  }

  /** Emits an event immediately. */
  readonly emit = (event: Event): void => {
    this.#observe?.(event);
    this.#enqueue(event);
  };

  #enqueue(event: Event): void {
    if (this.#take) return this.#take(event);
    if (this.#isLeft || this.#isOver) return;
    this.#queue = [...this.#queue.slice(this.#read), event];
    this.#read = 0;
    this.#deliver();
  }

  /** Emits events. Settles when the reader wants another one; rejects if it has left. */
  put(events: readonly Event[]): Promise<void> | undefined {
    if (this.#observe) events.forEach(this.#observe);
    if (this.#take || this.#read < this.#queue.length || this.#isLeft)
      for (const event of events) this.#enqueue(event);
    else [this.#queue, this.#read] = [events, 0];
    this.#deliver();
    return this.flush();
  }

  /** Settles when the reader wants another event; returns undefined if it does already. */
  flush(): Promise<void> | undefined {
    if (this.#isLeft) throw left;
    if (this.#ended) throw this.#ended.error;
    if (this.#take || this.#readers.length > 0) return undefined;
    return new Promise((resolve, reject) => (this.#paused = { resolve, reject }));
  }

  next(): Promise<Result<Event>> {
    const event = this.#queue[this.#read];
    if (event) {
      this.#read++;
      return Promise.resolve({ done: false, value: event });
    }
    if (this.#isOver) return this.#end();
    const result = new Promise<Result<Event>>((resolve, reject) =>
      this.#readers.push({ resolve, reject }),
    );
    this.#running ??= this.#run();
    this.#paused?.resolve();
    this.#paused = undefined;
    return result;
  }

  async return(): Promise<Result<Event>> {
    this.#isLeft = true;
    this.#queue = [];
    this.#failure = undefined;
    this.#abortReason = this.#onReturn();
    this.#paused?.reject(left);
    this.#paused = undefined;
    this.#isOver ||= !this.#running;
    await this.#running;
    return { done: true, value: undefined };
  }

  /** Ends the send with an error, which its reader gets after the events that are not read yet. */
  end(error: unknown): void {
    this.#ended = { error };
    this.#paused?.reject(error);
    this.#paused = undefined;
  }

  /**
   * Runs the send to its end instead of reading it; `take` gets each event at once. What `take` throws ends the send.
   *
   * @throws what the send throws
   */
  async readAll(take: (event: Event) => void): Promise<void> {
    let refused: { error: unknown } | undefined;
    this.#take = (event) => {
      try {
        if (!refused) take(event);
      } catch (error) {
        refused = { error };
        this.end(error);
        this.#onReturn();
      }
    };
    try {
      await (this.#running = this.#send(this));
    } catch (error) {
      // The stack has whoever awaits this.
      if (error instanceof StrataError) showCaller(error, this.#call ?? new Error());
      this.#failure = { error };
    }
    if (refused) throw refused.error;
    if (this.#failure) throw this.#failure.error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(): void {
    while (this.#readers.length > 0 && this.#read < this.#queue.length) {
      const value = this.#queue[this.#read++] as Event;
      this.#readers.shift()?.resolve({ done: false, value });
    }
  }

  // Rejects only if the reader has left and cannot receive the error.
  async #run(): Promise<void> {
    try {
      await this.#send(this);
    } catch (error) {
      if (error !== left && error !== this.#abortReason) this.#failure = { error };
    }
    this.#isOver = true;
    for (const reader of this.#readers.splice(0)) this.#end().then(reader.resolve, reader.reject);
    if (this.#isLeft) await this.#end();
  }

  async #end(): Promise<Result<Event>> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) {
      const { error } = failure;
      if (this.#call && error instanceof StrataError) showCaller(error, this.#call);
      throw error;
    }
    return { done: true, value: undefined };
  }
}

/**
 * What `Conversation.send` returns: an iterator of events, or, awaited, the result that `ask` returns. It can be used
 * in one of the two ways.
 */
export interface SendEvents
  extends AsyncIterableIterator<ConversationEvent>, PromiseLike<AskResult> {}

/** A send that starts when it is read or awaited. */
export class PendingSend extends EventChannel implements SendEvents {
  readonly #reader: ResultReader;
  #result: Promise<AskResult> | undefined;

  constructor(
    send: (events: EventChannel) => Promise<void>,
    onReturn: () => unknown,
    reader: ResultReader,
    call: Error | undefined,
    observe: (event: ConversationEvent) => void,
  ) {
    super(send, onReturn, call, observe);
    this.#reader = reader;
  }

  /** Reads all events and resolves to the result. Nothing is sent before. */
  then<Value = AskResult, Failure = never>(
    onResult?: ((result: AskResult) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    this.#result ??= this.hasStarted ? Promise.reject(alreadyRead()) : this.readResult();
    return this.#result.then(onResult, onError);
  }

  /** Starts the send at once. Calls `onEvent` with each event. */
  async readResult(onEvent?: (event: ConversationEvent) => void): Promise<AskResult> {
    let result: AskResult | undefined;
    this.hasReader = onEvent !== undefined;
    await this.readAll((event) => {
      result = this.#reader.add(event) ?? result;
      onEvent?.(event);
    });
    if (!result) throw noAnswerYet();
    return result;
  }
}

const alreadyRead = () =>
  new StrataError(
    'stream.read',
    'The events of this send are being read, so it cannot be awaited. Use ask() for the result.',
  );

interface Entry {
  finished: Promise<void>;
  end: (error: Error) => void;
}

/** A send's place in the queue. */
export interface SendTicket {
  /** Settles when all earlier sends have left; undefined if there are none. */
  ready: Promise<unknown> | undefined;
  leave: () => void;
}

/** The running send and those that wait for it. */
export class SendQueue {
  readonly #entries = new Set<Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Adds a send to the end of the queue. `end` is called by `endAll`. */
  enter(end: (error: Error) => void): SendTicket {
    const ready = this.isEmpty ? undefined : this.#allFinished();
    let settle = () => {};
    const entry = { finished: new Promise<void>((resolve) => (settle = resolve)), end };
    this.#entries.add(entry);
    const leave = () => {
      this.#entries.delete(entry);
      settle();
    };
    return { ready, leave };
  }

  /** Ends all sends with this error; settles when they have left. */
  async endAll(error: Error): Promise<void> {
    const finished = this.#allFinished();
    for (const { end } of this.#entries) end(error);
    await finished;
  }

  #allFinished(): Promise<unknown> {
    return Promise.all([...this.#entries].map(({ finished }) => finished));
  }
}
