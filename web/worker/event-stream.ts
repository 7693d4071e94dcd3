// Why this file exists: a send's events on their way to the caller, as they happen, as server-sent events or as
// lines of JSON.
import type { Conversation, ConversationEvent } from '../index.js';
import { errorBody, type ErrorBody } from './http.js';

/**
 * The conversation's events; `failed` ends a send that broke off. The last one is `saved` with the thread, or
 * `kept` with the number of turns where the Worker has the thread itself.
 */
export type ChatEvent =
  | ConversationEvent
  | { type: 'failed'; error: ErrorBody }
  | { type: 'saved'; thread: string }
  | { type: 'kept'; turns: number };

/** One send; `end` makes the last event. */
export async function* eventsOf(
  conversation: Conversation,
  message: string,
  end: () => ChatEvent,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  try {
    yield* conversation.send(message, { signal });
  } catch (error) {
    if (signal.aborted) return;
    yield { type: 'failed', error: errorBody(error) };
  }
  yield end();
}

// Bytes are JSON here: a body, a Content. They travel as text, and so to the byte.
const bytesAsText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? new TextDecoder().decode(value) : value;

/** How an event is written: server-sent events, or a line of JSON where the caller accepts that. */
function formatFor(request: Request) {
  const ndjson = request.headers.get('accept')?.includes('application/x-ndjson');
  const json = (event: ChatEvent) => JSON.stringify(event, bytesAsText);
  return ndjson
    ? { type: 'application/x-ndjson', write: (event: ChatEvent) => `${json(event)}\n` }
    : {
        type: 'text/event-stream',
        write: (event: ChatEvent) => `event: ${event.type}\ndata: ${json(event)}\n\n`,
      };
}

/** Events are asked for as fast as the caller reads; when it leaves, the send is aborted. */
export function streamTo(
  request: Request,
  eventsFor: (left: AbortSignal) => AsyncGenerator<ChatEvent>,
): Response {
  const { type, write } = formatFor(request);
  const encoder = new TextEncoder();
  const left = new AbortController();
  const events = eventsFor(left.signal);
  const body = new ReadableStream<Uint8Array>({
    async pull(out) {
      const { done, value } = await events.next();
      if (done) out.close();
      else out.enqueue(encoder.encode(write(value)));
    },
    async cancel() {
      // A generator that waits hears no return.
      left.abort();
      await events.return(undefined);
    },
  });
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' };
  return new Response(body, { headers });
}
