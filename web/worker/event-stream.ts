// Streams events to one reader, as server-sent events or as one line of JSON each.
import { eventJson, serverSentEvent } from '../sdk/base/event-text.js';
import { type Env } from './env.js';
import { visibleEvent, type ChatEvent, type VisibleEvent } from './visible.js';

// Unread bytes after which a reader is disconnected. The buffer holds at most this and one event.
const bufferLimitBytes = 8 * 1024 * 1024;

// Selects lines of JSON if the caller accepts them, otherwise server-sent events.
function formatFor(request: Request) {
  const ndjson = request.headers.get('accept')?.includes('application/x-ndjson');
  return ndjson
    ? { type: 'application/x-ndjson', write: (event: VisibleEvent) => `${eventJson(event)}\n` }
    : { type: 'text/event-stream', write: serverSentEvent };
}

/**
 * The streamed response to one reader. `push` buffers events and never waits for the reader. A reader that cancels
 * or falls too far behind is disconnected, and its buffer is freed.
 */
export class EventStream {
  readonly response: Response;
  readonly #write: (event: VisibleEvent) => string;
  readonly #encoder = new TextEncoder();
  readonly #env: Env;
  readonly #onDisconnect: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `onDisconnect` is called once if the reader cancels or is disconnected before `end`. */
  constructor(request: Request, env: Env, onDisconnect: () => void = () => {}) {
    const { type, write } = formatFor(request);
    this.#write = write;
    this.#env = env;
    this.#onDisconnect = onDisconnect;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#disconnect(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferLimitBytes }),
    );
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' };
    this.response = new Response(body, { headers });
  }

  /** Buffers an event. Has no effect after `end` or after the reader was disconnected. */
  push(event: ChatEvent): void {
    const controller = this.#controller;
    if (!controller) return;
    if ((controller.desiredSize ?? 0) < 0) {
      controller.error(new Error(`The reader is more than ${bufferLimitBytes} bytes behind`));
      this.#disconnect();
      return;
    }
    controller.enqueue(this.#encoder.encode(this.#write(visibleEvent(event, this.#env))));
  }

  /** Ends the response after the buffered events. */
  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  #disconnect(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    this.#onDisconnect();
  }
}
