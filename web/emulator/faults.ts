// Plans faults, and makes those that only a network can have.
import { joinBytes } from '../sdk/internal/bytes.js';
import { textOf } from '../sdk/internal/json.js';
import type { Route } from '../server/match-route.js';
import type { Answer } from './answer.js';
import { Failure, internal, overloaded, quotaExceeded } from './errors.js';
import type { Fault, FaultGroup } from './types.js';

const encoder = new TextEncoder();

/** The framing of a stream: server-sent events with `alt=sse`, else a JSON array. */
type Framing = 'sse' | 'array';

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

const quotaPerMinute = 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier';

const noRequests = (): Record<FaultGroup, number> => ({
  generate: 0,
  countTokens: 0,
  caches: 0,
  files: 0,
});

/** Returns the group in which a request is counted; undefined for those that have no faults. */
export function groupOf(route: Route): FaultGroup | undefined {
  const { kind } = route;
  if (kind === 'upload') return 'files';
  if (kind === 'interactions') return route.action === 'create' ? 'generate' : undefined;
  return kind === 'generate' || kind === 'countTokens' || kind === 'caches' || kind === 'files'
    ? kind
    : undefined;
}

/** Counts the requests of each group, and finds the fault planned for each. The list may grow meanwhile. */
export class FaultPlan {
  readonly #counts = noRequests();
  readonly #faults: readonly Fault[];

  constructor(faults: readonly Fault[] = []) {
    this.#faults = faults;
  }

  /** Counts one request. `index` is its number within the group, from 1. */
  next(group: FaultGroup): { index: number; fault: Fault | undefined } {
    const index = ++this.#counts[group];
    let place = 0;
    let planned: Fault | undefined;
    for (const fault of this.#faults) {
      if ((fault.on ?? 'generate') !== group) continue;
      place = fault.at ?? place + 1;
      if (place === index) planned = fault;
    }
    return { index, fault: planned };
  }
}

/** Throws the fault if it replaces the whole response. */
export function throwFault(fault: Fault | undefined): void {
  switch (fault?.kind) {
    case 'network':
      throw new TypeError('fetch failed');
    case 'http429':
      throw quotaExceeded(fault.retryDelay ?? '1s', fault.quotaId ?? quotaPerMinute);
    case 'http500':
      throw internal();
    case 'http503':
      throw overloaded();
  }
}

/** Applies a fault that changes the answer. */
export function applyAnswerFault(answer: Answer, fault: Fault | undefined): Answer {
  const { thought } = answer;
  switch (fault?.kind) {
    case 'empty':
      return { thought, parts: [], finishReason: 'STOP' };
    case 'blocked':
      return { ...answer, blockReason: fault.blockReason ?? 'PROHIBITED_CONTENT' };
    case 'malformed-call':
      return malformedCall(answer);
    case 'max-tokens':
      return truncateAnswer(answer, 0.5, 'MAX_TOKENS');
    case 'finish':
      return truncateAnswer(answer, 0.5, fault.finishReason ?? 'SAFETY');
    case 'unsigned':
      return {
        thought,
        parts: answer.parts.map(withoutSignature),
        finishReason: answer.finishReason,
      };
    default:
      return answer;
  }
}

function malformedCall({ thought, parts }: Answer): Answer {
  const call = parts.map((part) => part['functionCall']).find((entry) => entry !== undefined);
  const written = JSON.stringify(call ?? { name: 'unknown' });
  const finishMessage = `Malformed function call: ${written.slice(0, -1)}`;
  return { thought, parts: [], finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage };
}

function withoutSignature(part: Answer['parts'][number]): Answer['parts'][number] {
  const { thoughtSignature: _, ...others } = part;
  return others;
}

/** Returns the first `share` of the text without any functionCalls. */
export function truncateAnswer(
  { thought, parts }: Answer,
  share: number,
  finishReason: string,
): Answer {
  const characters = [...parts.map(({ text }) => textOf(text)).join('')];
  const text = characters.slice(0, Math.floor(characters.length * share)).join('');
  return { thought, parts: text === '' ? [] : [{ text }], finishReason };
}

/** Applies a fault that changes the bytes in transit. */
export function applyStreamFault(
  framed: string[],
  fault: Fault | undefined,
  framing?: Framing,
): string[] {
  if (fault?.kind === 'cut-stream') {
    const last = framed.at(-1) ?? '';
    return [...framed.slice(0, -1), last.slice(0, Math.floor(last.length / 2))];
  }
  if (fault?.kind !== 'mid-stream-error') return framed;
  if (framing === undefined) throw overloaded();
  return [...framed.slice(0, 1), errorFrame(overloaded(), fault.form ?? 'bare', framing)];
}

function errorFrame(failure: Failure, form: 'bare' | 'data' | 'line', framing: Framing): string {
  const error = JSON.stringify(failure);
  if (framing === 'array') return `,\r\n${error}]`;
  if (form === 'line') return `error: ${error}\r\n\r\n`;
  return form === 'data' ? `data: ${error}\r\n\r\n` : error;
}
