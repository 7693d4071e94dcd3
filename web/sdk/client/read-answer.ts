// Reads a streamed answer: passes network bytes to the core and its events to the caller, and returns one Content,
// even if the API sends the answer over several requests.
import { joinBytes } from '../internal/bytes.js';
import { dispose } from '../internal/lifetime.js';
import { readerOf } from './http.js';
import { stream as send, type RequestScope } from './sent-request.js';
import type { RequestEvent, UsageEvent } from '../types/conversation-event.js';
import type { ModalityTokenCount, UsageMetadata } from '../types/gemini/response.js';
import type { AnswerSummary, CoreResponse, ResponseEnd } from '../types/core-objects.js';
import type { AnswerEvent, FinishOptions, StreamEvent } from '../types/response.js';
import type { Strata } from '../types/strata.js';

/** Takes the events of one read. The next read waits for it; if it rejects, the stream is cancelled. */
type EventSink = (events: AnswerEvent[]) => Promise<void> | void;

/** The request of an answer, and what continues it. */
interface AnswerContext extends RequestScope, FinishOptions {
  request: RequestEvent;
  /** Creates the response. */
  core: Pick<Strata, 'response'>;
  /** Returns the event about token counts, with what it adds. */
  onUsage?: (event: UsageEvent) => UsageEvent;
}

async function readBody(
  response: Response,
  assembler: CoreResponse,
  options: FinishOptions,
  sink: (events: StreamEvent[]) => Promise<void> | void,
): Promise<ResponseEnd> {
  const reader = readerOf(response);
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      const events = assembler.push(read.value);
      if (events.length > 0) await sink(events);
    }
    const end = assembler.conclude(options);
    if (end.events.length > 0) await sink(end.events);
    return end;
  } finally {
    // Do not wait for the server to acknowledge.
    reader?.cancel().catch(() => {});
  }
}

const isAnswerEvent = (event: StreamEvent): event is AnswerEvent => event.type !== 'usage';

/** Collects from the events of an answer whether it continues, and what it costs. */
class Progress {
  #finishReason = '';
  #token: string | undefined;
  #usage: UsageMetadata | undefined;
  readonly #usages: UsageMetadata[] = [];

  /** Returns the events without token counts, which grow with each chunk. */
  record(events: StreamEvent[]): AnswerEvent[] {
    let hasCounts = false;
    for (const event of events) {
      if (event.type === 'usage') [this.#usage, hasCounts] = [event.usage, true];
      if (event.type !== 'metadata') continue;
      const { finishReason, continuationToken } = event.metadata;
      if (typeof finishReason === 'string') this.#finishReason = finishReason;
      if (typeof continuationToken === 'string') this.#token = continuationToken;
    }
    return hasCounts ? events.filter(isAnswerEvent) : (events as AnswerEvent[]);
  }

  /** Ends one response, and returns its token counts. */
  end(): UsageMetadata | undefined {
    const usage = this.#usage;
    if (usage) this.#usages.push(usage);
    this.#usage = undefined;
    return usage;
  }

  /** Returns the token for the next request, or undefined if the answer is complete or made no progress. */
  next(): string | undefined {
    const token = this.#finishReason === 'CONTINUATION' ? this.#token : undefined;
    this.#token = undefined;
    return token;
  }

  /** Returns the token counts of the last request. */
  last(): UsageMetadata {
    return this.#usages.at(-1) ?? {};
  }

  /** Returns the sum of the token counts of all requests. */
  total(): UsageMetadata {
    return sumOf(this.#usages);
  }
}

/** An answer. `usage` is the sum of all requests for it. */
export interface ReadAnswer extends AnswerSummary {
  /** The token counts of the last request: how long the history is. */
  lastUsage: UsageMetadata;
}

/** Takes the answer and the response with its Content, which is freed afterwards. */
type AnswerTaker = (answer: ReadAnswer, response: CoreResponse) => Promise<void> | void;

/**
 * Reads a streamed answer to its end, and passes it to `take`. While the finishReason is `CONTINUATION`, another request
 * continues the same answer. The client's key is in no event or error.
 *
 * @throws GeminiError if the answer was cut off, blocked or an error; what `sink` and `take` throw
 */
export async function readAnswer(
  response: Response,
  context: AnswerContext,
  sink: EventSink = () => {},
  take: AnswerTaker = () => {},
): Promise<ReadAnswer> {
  const { core, client, afterResponses = false } = context;
  const redact = (text: string) => client.redact(text);
  const { wire } = context.request;
  const assembler = core.response({ redact, ...(wire && { wire }) }) as CoreResponse;
  const progress = new Progress();
  const record = (received: StreamEvent[]) => {
    const events = progress.record(received);
    return events.length > 0 ? sink(events) : undefined;
  };
  try {
    for (let [stream, request] = [response, context.request]; ;) {
      let end: ResponseEnd;
      try {
        end = await readBody(stream, assembler, { afterResponses }, record);
      } finally {
        emitUsage(context, request, progress.end());
      }
      const token = progress.next();
      if (token === undefined) {
        const counts = { usage: progress.total(), lastUsage: progress.last() };
        const answer = { ...end.answer(), ...counts };
        await take(answer, assembler);
        return answer;
      }
      const body = withContinuation(context.request.body, token);
      request = { ...request, purpose: 'continuation', body };
      context.emit(request);
      stream = await send(context, request);
    }
  } finally {
    assembler[dispose]();
  }
}

function emitUsage(
  { emit, onUsage = (event) => event }: AnswerContext,
  { purpose, model }: RequestEvent,
  usage: UsageMetadata | undefined,
): void {
  if (usage) emit(onUsage({ type: 'usage', purpose, model, usage }));
}

// Returns a request's body with the token as its last field. The other bytes are unchanged.
function withContinuation(body: Uint8Array, token: string): Uint8Array {
  const tail = new TextEncoder().encode(`,"continuationToken":${JSON.stringify(token)}}`);
  return joinBytes([body.subarray(0, -1), tail]);
}

type Counts = Record<string, unknown>;

function modalitySum(lists: readonly (readonly ModalityTokenCount[])[]): ModalityTokenCount[] {
  const sums = new Map<string | undefined, number>();
  for (const { modality, tokenCount = 0 } of lists.flat())
    sums.set(modality, (sums.get(modality) ?? 0) + tokenCount);
  return [...sums].map(([modality, tokenCount]) => ({
    ...(modality !== undefined && { modality }),
    tokenCount,
  }));
}

function sumOfField(values: readonly unknown[]): unknown {
  if (values.every((value) => typeof value === 'number'))
    return values.reduce((sum, value) => sum + value, 0);
  if (values.every(Array.isArray)) return modalitySum(values);
  // What is no count, such as the tier, holds for the sum only if it holds for each request.
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

/** Returns the sum of token counts, with the other fields that are the same in all. */
export function sumOf(usages: readonly UsageMetadata[]): UsageMetadata {
  const [first = {}, ...others] = usages;
  if (others.length === 0) return first;
  const names = new Set(usages.flatMap((usage) => Object.keys(usage)));
  const sum: Counts = {};
  for (const name of names) {
    const values = usages
      .map((usage) => (usage as Counts)[name])
      .filter((value) => value !== undefined);
    const total = sumOfField(values);
    if (total !== undefined) sum[name] = total;
  }
  return sum;
}
