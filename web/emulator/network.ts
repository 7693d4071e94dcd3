// Turns responses into a byte stream: frames them as events or a JSON array, and splits them into network reads.
import { joinBytes } from '../sdk/internal/bytes.js';

const encoder = new TextEncoder();

/** The framing of a stream: server-sent events with `alt=sse`, else a JSON array. */
export type Framing = 'sse' | 'array';

/** Returns each chunk with its framing. Concatenated, they are the response body. */
export function frameChunks(chunks: string[], framing: Framing): string[] {
  if (framing === 'sse') return chunks.map((chunk) => `data: ${chunk}\r\n\r\n`);
  if (chunks.length === 0) return ['[]'];
  const last = chunks.length - 1;
  return chunks.map((chunk, i) => `${i === 0 ? '[' : ',\r\n'}${chunk}${i === last ? ']' : ''}`);
}

/** Splits the body into reads of `chunkBytes` bytes or, without it, at positions where decoders fail. */
export function splitBytes(framed: string[], chunkBytes: number | undefined): Uint8Array[] {
  const encoded = framed.map((frame) => encoder.encode(frame));
  const bytes = joinBytes(encoded);
  const splits =
    chunkBytes === undefined ? awkwardSplits(encoded) : evenSplits(bytes.length, chunkBytes);
  const ends = [...splits, bytes.length];
  return ends
    .map((end, i) => bytes.slice(ends[i - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}

function evenSplits(length: number, size: number): number[] {
  const step = Math.max(1, Math.floor(size));
  return Array.from(
    { length: Math.max(0, Math.ceil(length / step) - 1) },
    (_, i) => (i + 1) * step,
  );
}

/**
 * Returns split points where decoders fail: after the first byte of a multi-byte character, inside the
 * blank line (after each of its four bytes in turn), and inside the `data:` that follows.
 */
function awkwardSplits(encoded: Uint8Array[]): number[] {
  const splits = new Set<number>();
  let start = 0;
  encoded.forEach((frame, i) => {
    const lead = frame.findIndex((byte) => byte >= 0xc0);
    if (lead >= 0) splits.add(start + lead + 1);
    if (i % 4 === 3) splits.add(start + 2);
    start += frame.length;
    splits.add(start - (i % 5));
  });
  return [...splits].filter((split) => split > 0 && split < start).sort((a, b) => a - b);
}

/** Returns a stream of the pieces, each `delayMs` after the last. On abort it errors with the signal's reason. */
export function createStream(
  pieces: Uint8Array[],
  delayMs: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let next = 0;
  let abort = () => {};
  const release = () => signal.removeEventListener('abort', abort);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        abort = () => controller.error(signal.reason);
        signal.addEventListener('abort', abort, { once: true });
      },
      async pull(controller) {
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        if (signal.aborted) return;
        const piece = pieces[next++];
        if (piece) controller.enqueue(piece);
        if (next < pieces.length) return;
        release();
        controller.close();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
