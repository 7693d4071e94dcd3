// Stands in for the network: a `fetch` that answers at once, and notes when it was called and with what.
import { answerEvent, wholeAnswer } from './upstream-answer.mjs';

/** What the network answers, and what it knows about the last request. */
export const upstream = {
  /** The reads of a streamed answer; undefined: the short answer in one piece. */
  reads: undefined,
  /** When `fetch` was called, in milliseconds. */
  calledAt: 0,
  /** The arguments of `fetch`. */
  request: [],
};

const json = { headers: { 'content-type': 'application/json; charset=UTF-8' } };
const events = { headers: { 'content-type': 'text/event-stream' } };

function streamOf(reads) {
  let next = 0;
  const pull = (out) => (next < reads.length ? out.enqueue(reads[next++]) : out.close());
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

// What a real fetch does with a body, encode a text or copy bytes, is left out for all clients.
globalThis.fetch = async (input, init) => {
  upstream.calledAt = performance.now();
  upstream.request = [input, init];
  const isStreamed = String(input.url ?? input).includes(':streamGenerateContent');
  if (!isStreamed) return new Response(wholeAnswer, json);
  const { reads } = upstream;
  return new Response(reads ? streamOf(reads) : answerEvent, events);
};

/** Returns the bytes of the last request's body. */
export async function lastBody() {
  const [input, init] = upstream.request;
  const request = input instanceof Request ? input : new Request(input, { ...init, signal: null });
  return new Uint8Array(await request.clone().arrayBuffer());
}
