// Why this file exists: responses become the bytes of a network: events or a JSON array, cut where
// it hurts, in a stream that stops at once when it is aborted.
import { joinBytes } from '../sdk/base/bytes.js';

const encoder = new TextEncoder();

/** How the answer of a stream is framed: `alt=sse`, or a JSON array without it. */
export type Framing = 'sse' | 'array';

/** Each chunk with what stands around it, so that all of them joined are the body. */
export function frames(chunks: string[], framing: Framing): string[] {
  if (framing === 'sse') return chunks.map((chunk) => `data: ${chunk}\r\n\r\n`);
  if (chunks.length === 0) return ['[]'];
  const last = chunks.length - 1;
  return chunks.map((chunk, i) => `${i === 0 ? '[' : ',\r\n'}${chunk}${i === last ? ']' : ''}`);
}

/** The network reads: all of `chunkBytes` bytes, or cut at awkward places. */
export function cutBytes(framed: string[], chunkBytes: number | undefined): Uint8Array[] {
  const encoded = framed.map((frame) => encoder.encode(frame));
  const bytes = joinBytes(encoded);
  const cuts = chunkBytes === undefined ? awkwardCuts(encoded) : evenCuts(bytes.length, chunkBytes);
  const ends = [...cuts, bytes.length];
  return ends
    .map((end, i) => bytes.slice(ends[i - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
}

function evenCuts(length: number, size: number): number[] {
  const step = Math.max(1, Math.floor(size));
  return Array.from(
    { length: Math.max(0, Math.ceil(length / step) - 1) },
    (_, i) => (i + 1) * step,
  );
}

/**
 * Behind the first byte of a character, inside the blank line (at each of its four bytes in turn),
 * and inside the `data:` that follows: where decoders break.
 */
function awkwardCuts(encoded: Uint8Array[]): number[] {
  const cuts = new Set<number>();
  let start = 0;
  encoded.forEach((frame, i) => {
    const lead = frame.findIndex((byte) => byte >= 0xc0);
    if (lead >= 0) cuts.add(start + lead + 1);
    if (i % 4 === 3) cuts.add(start + 2);
    start += frame.length;
    cuts.add(start - (i % 5));
  });
  return [...cuts].filter((cut) => cut > 0 && cut < start).sort((a, b) => a - b);
}

/** One network read a piece, `delayMs` before each. Aborted: it fails at once with the signal's reason. */
export function streamOf(
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
