// Streams the answer to one message: as events, as text, or as an HTTP response.
import { GeminiError, StrataError } from '../internal/errors.js';
import * as must from '../internal/options.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import type { AskResult, ResultReader } from './ask-result.js';
import { BufferedEvents } from './buffered-events.js';
import { sendOptions, type SendOptions } from './event-channel.js';

/** Options of `Conversation.stream`. */
export interface StreamOptions extends SendOptions {
  /** Milliseconds without a read after which the send is aborted; 0: no limit. Default: 60,000. */
  stallTimeoutMs?: number;
}

export const streamOptions: must.Shape<StreamOptions> = {
  ...sendOptions,
  stallTimeoutMs: must.optional(must.nonNegative),
};

/** Options of `AnswerStream.toResponse`. */
export interface AnswerResponseOptions {
  status?: number;
  headers?: { [name: string]: string };
  /**
   * The types of events that the response contains besides `text`, `thought`, `fault` and `done`. They may hold what
   * is private to the server, such as the whole request.
   */
  events?: readonly ConversationEvent['type'][];
}

const eventTypes = {
  request: 1,
  diagnostics: 1,
  text: 1,
  thought: 1,
  functionCall: 1,
  part: 1,
  step: 1,
  usage: 1,
  metadata: 1,
  error: 1,
  turn: 1,
  retry: 1,
  cacheLost: 1,
  fallback: 1,
  stateLost: 1,
  background: 1,
  fieldRefused: 1,
  cache: 1,
  masked: 1,
  compressed: 1,
  compressionFailed: 1,
  thread: 1,
  toolCall: 1,
  invalidArguments: 1,
  toolResult: 1,
  waiting: 1,
  loop: 1,
  nextSpeaker: 1,
  limit: 1,
  fault: 1,
  empty: 1,
  invalidObject: 1,
  done: 1,
} satisfies Record<ConversationEvent['type'], 1>;

const uiOptions: must.Shape<Omit<AnswerResponseOptions, 'events'>> = {
  status: must.optional(must.number),
  headers: must.optional(must.recordOf(must.string)),
};

const responseOptions: must.Shape<AnswerResponseOptions> = {
  ...uiOptions,
  events: must.optional(must.arrayOf(must.oneOf(...Object.keys(eventTypes)))),
};

/**
 * The answer to one message. It can be read once: as events, as text, or as a response. Leaving the loop, or
 * canceling the response, aborts the send.
 *
 * @example
 * const stream = chat.stream('Hello');
 * for await (const text of stream.textStream) process.stdout.write(text);
 * const { usage } = await stream.result;
 */
export class AnswerStream implements AsyncIterable<ConversationEvent> {
  readonly #events: BufferedEvents;
  readonly #result: ResultReader;

  /** @internal */
  constructor(
    send: AsyncIterator<ConversationEvent, undefined>,
    reader: ResultReader,
    stallTimeoutMs = 60_000,
  ) {
    this.#result = reader;
    this.#events = new BufferedEvents(send, reader, stallTimeoutMs);
  }

  /**
   * Resolves to the complete answer once its last event was received. Without a reader, the whole answer is received
   * for it; otherwise the reader sets the pace. Rejects if the send fails or is aborted; a rejection that nobody
   * handles is not reported.
   */
  get result(): Promise<AskResult> {
    return this.#events.result;
  }

  /**
   * Iterates over all events of the send, as `Conversation.send` does.
   *
   * @throws what `send` throws; StrataError `stream.read` if the answer is being read already
   */
  [Symbol.asyncIterator](): AsyncGenerator<ConversationEvent, void, void> {
    this.#result.isHeard = true;
    return this.#read();
  }

  async *#read(): AsyncGenerator<ConversationEvent, void, void> {
    const reader = this.#reader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  }

  /**
   * The text of the answer, as it arrives, without thoughts; if tools run, of the answers before and after them.
   * Reading throws GeminiError if an answer fails after a part of it was read, because that part cannot be taken
   * back; `send` would request the answer again.
   */
  get textStream(): AsyncIterable<string> {
    return textOf(this.#read());
  }

  /**
   * Returns a response with server-sent events: `event: text`, `data: {"type":"text","text":"…"}`. The last event is
   * `done`, or `failed` with the `code` of the error, which is printed with `console.error`; `fault` says that the
   * client must discard the text of the current answer.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for invalid options; `stream.read`
   */
  toResponse(options: AnswerResponseOptions = {}): Response {
    must.checkOptions(options, responseOptions);
    const reader = this.#reader();
    const source = import('./answer-source.js').then(
      ({ AnswerSource }) => new AnswerSource(reader, options.events),
    );
    return responseOf(source, reader, options, {});
  }

  /**
   * Returns a response with the UI message stream of the AI SDK 7, for `useChat`: text, thoughts, tool calls with their
   * results, sources and files. If the send fails, its last chunk is an `error` with the `code`; the error is printed
   * with `console.error`.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for invalid options; `stream.read`
   *
   * @see https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol
   *
   * @example
   * export const POST = async (request) => {
   *   const { messages } = await request.json();
   *   return chat.stream(messageOf(messages.at(-1))).toUIMessageResponse();
   * };
   */
  toUIMessageResponse(options: Omit<AnswerResponseOptions, 'events'> = {}): Response {
    must.checkOptions(options, uiOptions);
    const reader = this.#reader();
    const source = import('../../adapters/ui-stream/ui-message-source.js').then(
      ({ UIMessageSource }) => new UIMessageSource(reader),
    );
    return responseOf(source, reader, options, { 'x-vercel-ai-ui-message-stream': 'v1' });
  }

  #reader(): ReadableStreamDefaultReader<ConversationEvent> {
    if (!this.#events.isRead) return this.#events.read();
    throw new StrataError(
      'stream.read',
      'This answer is being read already. Call stream() for another one.',
    );
  }
}

/** What writes the body of a response. It is loaded when a response is asked for. */
type BodyWriter = Promise<{
  pull: (controller: ReadableStreamDefaultController<Uint8Array>) => Promise<void>;
}>;

function responseOf(
  writer: BodyWriter,
  reader: ReadableStreamDefaultReader<ConversationEvent>,
  { status = 200, headers }: AnswerResponseOptions,
  more: { [name: string]: string },
): Response {
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => (await writer).pull(controller),
    cancel: () => reader.cancel(),
  });
  const type = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  };
  return new Response(body, { status, headers: { ...type, ...more, ...headers } });
}

async function* textOf(
  events: AsyncIterable<ConversationEvent>,
): AsyncGenerator<string, void, void> {
  let isPartial = false;
  for await (const event of events) {
    if (event.type === 'text') {
      isPartial = true;
      yield event.text;
    } else if (event.type === 'turn') {
      isPartial = false;
    } else if (event.type === 'fault' && isPartial) {
      const { code, message, finishReason } = event;
      throw new GeminiError(code, message, { finishReason });
    }
  }
}
