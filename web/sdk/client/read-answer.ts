// Reads a streamed answer: passes network bytes to the core and its events to the caller, and returns one Content,
// even if the API sends the answer over several requests.
import { joinBytes } from '../base/bytes.js';
import { readerOnly, type GeminiClient } from './client.js';
import { dispose } from '../base/dispose.js';
import { readerOf } from './http.js';
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';
import type { Answer, ResponseAssembler, StreamEvent } from '../types/response.js';
import type { Strata } from '../types/strata.js';

/** Takes the events of one read. The next read waits for it; if it rejects, the stream is cancelled. */
type EventSink = (events: StreamEvent[]) => Promise<void> | void;

/** The request of an answer, and the client that sends it again with a `continuationToken`. */
export interface AnswerContext {
  strata: Strata;
  client: GeminiClient;
  model: string;
  body: Uint8Array;
  signal: AbortSignal;
  /** The request ends with functionResponses, after which an empty answer is no fault. */
  afterResponses?: boolean;
}

async function readBody(
  response: Response,
  assembler: ResponseAssembler,
  sink: EventSink,
): Promise<void> {
  const reader = readerOf(response);
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      const events = assembler.push(read.value);
      if (events.length > 0) await sink(events);
    }
    const last = assembler.end();
    if (last.length > 0) await sink(last);
  } finally {
    // Do not wait for the server to acknowledge.
    reader?.cancel().catch(() => {});
  }
}

/** Collects from the events of an answer whether it continues, and what it costs. */
class Progress {
  #finishReason = '';
  #token: string | undefined;
  #usage: UsageMetadata | undefined;
  readonly #usages: UsageMetadata[] = [];

  record(event: StreamEvent): void {
    if (event.type === 'usage') this.#usage = event.usage;
    if (event.type !== 'metadata') return;
    const { finishReason, continuationToken } = event.metadata;
    if (typeof finishReason === 'string') this.#finishReason = finishReason;
    if (typeof continuationToken === 'string') this.#token = continuationToken;
  }

  /** Ends one response. Returns the token for the next request, or undefined if the answer is complete or made no progress. */
  next(): string | undefined {
    if (this.#usage) this.#usages.push(this.#usage);
    this.#usage = undefined;
    const token = this.#finishReason === 'CONTINUATION' ? this.#token : undefined;
    this.#token = undefined;
    return token;
  }

  /** Returns the token counts of the last request. */
  last(): UsageMetadata {
    return this.#usages.at(-1) ?? {};
  }

  /** Returns the sum of the token counts of all requests, with the other fields of the last one. */
  total(): UsageMetadata {
    const total: { [name: string]: unknown } = { ...this.last() };
    for (const usage of this.#usages.slice(0, -1)) {
      for (const [name, count] of Object.entries(usage)) {
        const sum = total[name];
        if (typeof count !== 'number') continue;
        total[name] = count + (typeof sum === 'number' ? sum : 0);
      }
    }
    return total;
  }
}

/** An answer. `usage` is the sum of all requests for it. */
export interface ReadAnswer extends Answer {
  /** The token counts of the last request: how long the history is. */
  lastUsage: UsageMetadata;
}

/**
 * Reads a streamed answer to its end. While the finishReason is `CONTINUATION`, another request continues the same
 * answer. The client's key is in no event or error.
 *
 * @throws GeminiError if the answer was cut off, blocked or an error; what `sink` throws
 */
export async function readAnswer(
  response: Response,
  { strata, client, model, body, signal, afterResponses = false }: AnswerContext,
  sink: EventSink = () => {},
): Promise<ReadAnswer> {
  const assembler = strata.response({ redact: (text) => client.redact(text) });
  const progress = new Progress();
  const record = (events: StreamEvent[]) => {
    for (const event of events) progress.record(event);
    return sink(events);
  };
  try {
    for (let stream = response; ;) {
      await readBody(stream, assembler, record);
      const token = progress.next();
      if (token === undefined) break;
      stream = await client.stream(model, withContinuation(body, token), {
        ...readerOnly(client),
        signal,
      });
    }
    const answer = assembler.finish({ afterResponses });
    return { ...answer, usage: progress.total(), lastUsage: progress.last() };
  } finally {
    assembler[dispose]();
  }
}

// Returns a request's body with the token as its last field. The other bytes are unchanged.
function withContinuation(body: Uint8Array, token: string): Uint8Array {
  const tail = new TextEncoder().encode(`,"continuationToken":${JSON.stringify(token)}}`);
  return joinBytes([body.subarray(0, -1), tail]);
}
