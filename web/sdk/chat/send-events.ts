// The events of a send, which runs to its end if it is awaited instead of read.
import * as must from '../internal/options.js';
import { StrataError } from '../internal/errors.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import type { AskResult, ResultReader } from './ask-result.js';
import { EventChannel } from './event-channel.js';
import { noAnswerYet } from './waiting-error.js';

/** Options of one send. */
export interface SendOptions {
  /** Aborts the send, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

export const sendOptions: must.Shape<SendOptions> = { signal: must.signal };

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
