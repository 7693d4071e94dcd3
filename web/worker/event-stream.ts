// Writes events as bytes for one reader: server-sent events, or a line of JSON each.
import { type Env } from './env.js';
import { visibleEvent, type ChatEvent, type VisibleEvent } from './visible.js';

// A reader that is further behind than this is given up. Memory holds this much and one event.
const backlogBytes = 8 * 1024 * 1024;

// Bytes are JSON here: a body, a Content. Written as text they keep every byte.
const bytesAsText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(value) : value;

/** How an event is written: server-sent events, or a line of JSON where the caller accepts that. */
function formatFor(request: Request) {
  const ndjson = request.headers.get('accept')?.includes('application/x-ndjson');
  const json = (event: VisibleEvent) => JSON.stringify(event, bytesAsText);
  return ndjson
    ? { type: 'application/x-ndjson', write: (event: VisibleEvent) => `${json(event)}\n` }
    : {
        type: 'text/event-stream',
        write: (event: VisibleEvent) => `event: ${event.type}\ndata: ${json(event)}\n\n`,
      };
}

/**
 * The response that one reader gets. Events go into a buffer and never wait for the reader: one that is gone or
 * too slow is given up, and its buffer is freed.
 */
export class EventStream {
  readonly response: Response;
  readonly #write: (event: VisibleEvent) => string;
  readonly #encoder = new TextEncoder();
  readonly #env: Env;
  readonly #onLeft: () => void;
  #out: ReadableStreamDefaultController<Uint8Array> | undefined;

  /** `onLeft` is called if the reader cancels or is given up before the last event. */
  constructor(request: Request, env: Env, onLeft: () => void = () => {}) {
    const { type, write } = formatFor(request);
    this.#write = write;
    this.#env = env;
    this.#onLeft = onLeft;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (out) => {
          this.#out = out;
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: backlogBytes }),
    );
    const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' };
    this.response = new Response(body, { headers });
  }

  /** Adds an event. The reader gets it when it reads. */
  push(event: ChatEvent): void {
    const out = this.#out;
    if (!out) return;
    if ((out.desiredSize ?? 0) < 0) {
      out.error(new Error(`The reader is more than ${backlogBytes} bytes behind`));
      this.#leave();
      return;
    }
    out.enqueue(this.#encoder.encode(this.#write(visibleEvent(event, this.#env))));
  }

  /** Ends the response once everything is read. */
  end(): void {
    this.#out?.close();
    this.#out = undefined;
  }

  #leave(): void {
    if (!this.#out) return;
    this.#out = undefined;
    this.#onLeft();
  }
}
