// Why this file exists: the loop around the layers: send, stream, run tools, send their results, with a
// thread that can be sent again after every step, also after one that failed.
import { Watch } from '../abort.js';
import type { GeminiClient } from '../client.js';
import { StrataError } from '../errors.js';
import { Toolbox } from '../tools/toolbox.js';
import type { Strata, Thread } from '../types.js';
import { partsFor } from './builtin-parts.js';
import { callsOf, textContent } from './contents.js';
import type { ConversationEvent } from './events.js';
import { LiveThread } from './live-thread.js';
import type { ConversationOptions } from './options.js';
import type { ConversationPart } from './part.js';
import { Parts } from './parts.js';
import { ask, type SendContext } from './request.js';
import type { Events } from './told.js';
import { closeStep, refuseCalls, runCalls } from './tool-step.js';

/**
 * A conversation with a model. After any failure (an HTTP error, a cut or blocked answer, an abort) the
 * thread ends in a user Content: the user's text or a complete set of tool results. Nothing of a broken
 * answer is kept; `send('')`, or the same text again, goes on from there.
 *
 * @example
 * const chat = new Conversation(await load(), new GeminiClient({ apiKey }), { model });
 * for await (const event of chat.send('Hello')) if (event.type === 'text') show(event.text);
 */
export class Conversation {
  readonly #strata: Strata;
  readonly #client: GeminiClient;
  readonly #options: ConversationOptions;
  readonly #tools: Toolbox;
  readonly #live: LiveThread;
  #parts: Promise<ConversationPart[]> | undefined;
  #busy = false;

  constructor(strata: Strata, client: GeminiClient, options: ConversationOptions) {
    const { tools = [], toolTimeoutMs = 60_000 } = options;
    this.#strata = strata;
    this.#client = client;
    this.#options = options;
    this.#tools = new Toolbox(tools, toolTimeoutMs);
    this.#live = new LiveThread(strata, options);
  }

  /** The turns so far. Compression puts another thread in its place: ask each time. */
  get thread(): Thread {
    return this.#live.thread;
  }

  /**
   * Sends a text or a whole user Content, and goes on until the model asks for no more tools. Leaving the
   * loop aborts what is under way. A blank text adds nothing: it resumes a thread that ends in a user's turn
   * or in calls that nobody answered yet.
   *
   * @throws HistoryError for an input or a request that the API would refuse; GeminiError for an answer
   *   that is an error, broke off or was blocked; the signal's reason after an abort; StrataError
   *   `conversation.busy` while another send is read.
   */
  send(
    input: string | object | Uint8Array,
    options: { signal?: AbortSignal | undefined } = {},
  ): AsyncIterableIterator<ConversationEvent> {
    const watch = new Watch(options.signal, 0, Error);
    const events = this.#exclusive(input, watch);
    return {
      next: () => events.next(),
      return: () => {
        watch.abort();
        return events.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#exclusive(input: string | object | Uint8Array, watch: Watch): Events {
    if (this.#busy) throw new StrataError('conversation.busy', 'Another send is still being read');
    if (watch.signal.aborted) throw watch.signal.reason;
    this.#busy = true;
    const live = this.#live;
    try {
      const context = await this.#context(watch.signal);
      yield* runCalls(live.openCalls(), this.#tools, live, watch.signal);
      yield* this.#accept(input);
      yield* this.#rounds(context);
    } finally {
      this.#busy = false;
      closeStep(
        live.openCalls().map((call) => ({ call })),
        live,
      );
      watch.release();
    }
  }

  async #context(signal: AbortSignal): Promise<SendContext> {
    const [strata, client, options] = [this.#strata, this.#client, this.#options];
    const [live, tools] = [this.#live, this.#tools];
    const { model, backend } = live;
    const now = () => live.now();
    // What parts remember, they remember from one send to the next.
    this.#parts ??= partsFor(options);
    this.#parts.catch(() => (this.#parts = undefined));
    const parts = new Parts(await this.#parts, { strata, client, model, backend, signal, now });
    return { strata, client, options, live, tools, parts, signal };
  }

  // The Content enters the thread first and is sent from there: its bytes are the same in both.
  async *#accept(input: string | object | Uint8Array): Events {
    const isText = typeof input === 'string';
    const live = this.#live;
    if (isText && (input.trim() === '' || input === live.unansweredText())) return;
    yield* live.append(isText ? textContent(input) : input);
  }

  async *#rounds(context: SendContext): Events {
    const { maxToolRounds = 16 } = this.#options;
    for (let rounds = 0; ; rounds++) {
      const { content, finishReason, usage } = yield* ask(context);
      const calls = content ? callsOf(content) : [];
      if (!content) yield { type: 'empty', finishReason };
      if (calls.length > 0 && rounds < maxToolRounds) {
        yield* runCalls(calls, this.#tools, this.#live, context.signal);
        continue;
      }
      if (calls.length > 0) {
        const reason = `Not run: tools ran ${rounds} times for this request, its limit.`;
        yield* refuseCalls(calls, reason, this.#live);
        yield { type: 'limit', rounds };
      }
      yield { type: 'done', finishReason, usage };
      return;
    }
  }
}
