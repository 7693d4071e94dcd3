// Records the raw answer of each request while it is read.
import { signal } from '@preact/signals';
import type { Fetch } from '../../index.js';

// Enough for any text answer; an image may be longer.
const maxLength = 1 << 20;

/** An answer as it came from the network. */
export class RawAnswer {
  /** `HTTP 200`; '' before the response begins. */
  readonly status = signal('');
  readonly text = signal('');
  /** Whether the rest was left out because the answer is too long. */
  isCut = false;

  /** Adds a piece of the body. */
  add(piece: string): void {
    if (piece === '' || this.isCut) return;
    const text = this.text.peek();
    const kept = piece.slice(0, maxLength - text.length);
    this.isCut = kept.length < piece.length;
    this.text.value = text + kept;
  }
}

// Returns a stream of the same bytes, whose text is added to `record` as it is read.
function recorded(body: ReadableStream<Uint8Array>, record: RawAnswer): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const copy = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      record.add(decoder.decode(chunk, { stream: true }));
      controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(copy);
}

/** Returns a fetch function that records the answers to requests of a conversation in what `current` returns. */
export function recordingFetch(fetch: Fetch, current: () => RawAnswer | undefined): Fetch {
  return async (input, init) => {
    const record = current();
    const response = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (!record || !/generateContent|\/interactions/i.test(url)) return response;
    record.status.value = `HTTP ${response.status}`;
    const { body, status, statusText, headers } = response;
    if (!body) return response;
    return new Response(recorded(body, record), { status, statusText, headers });
  };
}
