// Why this file exists: network bytes go to the core as they come; what JavaScript sees of an answer are
// small events, and at the end the one Content, also where the API gives it over several requests.
import { joinBytes } from '../base/bytes.js';
import type { GeminiClient } from './client.js';
import { dispose } from '../base/dispose.js';
import type { Answer, ResponseAssembler, StreamEvent, Usage } from '../types/response.js';
import type { Strata } from '../types/strata.js';

// An event that the server forgot to close, before the next answer's bytes.
const blankLine = new TextEncoder().encode('\n\n');

type Stream<Result> = AsyncGenerator<StreamEvent, Result, void>;

/** The request that is answered, and who sends it again with a `continuationToken`. */
export interface Asked {
  strata: Strata;
  client: GeminiClient;
  model: string;
  body: Uint8Array;
  signal: AbortSignal;
}

async function* readBody(response: Response, assembler: ResponseAssembler): Stream<void> {
  const reader = response.body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      yield* assembler.push(read.value);
    }
  } finally {
    // Nobody waits for a server that has nothing more to say.
    reader?.cancel().catch(() => {});
  }
}

/** What the events of an answer say about how it goes on. */
class Progress {
  #reason = '';
  #token: string | undefined;
  #usage: Usage = {};
  #spent: Usage[] = [];

  note(event: StreamEvent): void {
    if (event.type === 'usage') this.#usage = event.usage;
    if (event.type !== 'metadata') return;
    const { finishReason, continuationToken } = event.metadata;
    if (typeof finishReason === 'string') this.#reason = finishReason;
    if (typeof continuationToken === 'string') this.#token = continuationToken;
  }

  /** The token for the next request, once; none if the answer is at its end or made no progress. */
  next(): string | undefined {
    this.#spent.push(this.#usage);
    const token = this.#reason === 'CONTINUATION' ? this.#token : undefined;
    this.#token = undefined;
    return token;
  }

  /** What all requests cost together; each counts for itself. */
  total(): Usage {
    const total: Usage = { ...this.#spent.at(-1) };
    for (const usage of this.#spent.slice(0, -1)) {
      for (const [name, count] of Object.entries(usage)) {
        const sum = total[name];
        if (typeof count !== 'number') continue;
        total[name] = count + (typeof sum === 'number' ? sum : 0);
      }
    }
    return total;
  }
}

/**
 * Reads a streamed answer to its end. Leaving early cancels the stream. An answer that ends in
 * `CONTINUATION` goes on with another request, and is one answer. The client's key is in no event or error.
 *
 * @throws GeminiError if the answer was cut, blocked or is an error
 */
export async function* readAnswer(
  response: Response,
  { strata, client, model, body, signal }: Asked,
): Stream<Answer> {
  const assembler = strata.response({ redact: (text) => client.redact(text) });
  const progress = new Progress();
  try {
    for (let stream = response; ;) {
      for await (const event of readBody(stream, assembler)) {
        progress.note(event);
        yield event;
      }
      const token = progress.next();
      if (token === undefined) break;
      yield* assembler.push(blankLine);
      stream = await client.stream(model, withContinuation(body, token), { signal });
    }
    return { ...assembler.finish(), usage: progress.total() };
  } finally {
    assembler[dispose]();
  }
}

// A request's body with the token: nothing before it changes.
function withContinuation(body: Uint8Array, token: string): Uint8Array {
  const tail = new TextEncoder().encode(`,"continuationToken":${JSON.stringify(token)}}`);
  return joinBytes([body.subarray(0, -1), tail]);
}
