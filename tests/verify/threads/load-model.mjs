// A model that answers slowly with the marker of the question in every chunk.
import { setTimeout as sleep } from 'node:timers/promises';

const chunkCount = 25;
const chunkMs = 200;
// Larger than what sockets buffer, once all chunks have arrived.
const largeBytes = 128 * 1024;

/** Returns the text of a question. `isLarge`: its answer has megabytes. */
export const questionText = (marker, isLarge = false) =>
  `Question ${marker} ${isLarge ? 'large' : 'small'}`;

/** Returns whether a text says nothing but a marker. */
export const saysOnly = (text, marker) => text !== '' && text.replaceAll(`${marker} `, '') === '';

/** The length of the answer to a question. */
export const lengthOf = (marker, isLarge) => chunkCount * chunkText(marker, isLarge).length;

function chunkText(marker, isLarge) {
  const word = `${marker} `;
  return isLarge ? word.repeat(Math.ceil(largeBytes / word.length)) : word.repeat(4);
}

const dataOf = (text, more) =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }] })}\r\n\r\n`;

/** Answers a request of the Worker. */
export async function answer(request) {
  const body = await request.text();
  const [, marker, size] = [...body.matchAll(/Question (\w+) (small|large)/g)].at(-1);
  const text = chunkText(marker, size === 'large');
  const encoder = new TextEncoder();
  let left = chunkCount;
  const stream = new ReadableStream({
    async pull(out) {
      await sleep(chunkMs);
      left--;
      out.enqueue(encoder.encode(dataOf(text, left === 0 ? { finishReason: 'STOP' } : {})));
      if (left === 0) out.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}
