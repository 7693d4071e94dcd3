// Why this file exists: the loop around the layers: send, stream, run tools, send their results, with a
// thread that can be sent again after every step, also after one that failed.
import { abortable, Watch } from './abort.js';
import { readAnswer } from './answer.js';
import type { GeminiClient } from './client.js';
import type { ConversationOptions } from './conversation-options.js';
import { HistoryError, StrataError } from './errors.js';
import type { ConversationEvent } from './events.js';
import { callsOf, resultsContent, textContent, userText } from './contents.js';
import { Toolbox, type CallState, type ToolCall } from './tools.js';
import type { Answer, Assembled, JsonInput, Manifest, Strata, Thread, TurnMeta } from './types.js';

type Events<Result = void> = AsyncGenerator<ConversationEvent, Result, void>;

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
  readonly thread: Thread;
  readonly #strata: Strata;
  readonly #client: GeminiClient;
  readonly #options: ConversationOptions;
  readonly #tools: Toolbox;
  #previous: Manifest | undefined;
  #busy = false;

  constructor(strata: Strata, client: GeminiClient, options: ConversationOptions) {
    const { model, backend = 'gemini', tools = [], toolTimeoutMs = 60_000 } = options;
    this.#strata = strata;
    this.#client = client;
    this.#options = options;
    this.#tools = new Toolbox(tools, toolTimeoutMs);
    this.thread = options.thread ?? strata.thread({ model, backend, sequencing: 'api' });
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
    try {
      yield* this.#runTools(this.#openCalls(), watch.signal);
      yield* this.#accept(input);
      yield* this.#rounds(watch.signal);
    } finally {
      this.#busy = false;
      this.#close(this.#openCalls().map((call) => ({ call })));
      watch.release();
    }
  }

  // The Content enters the thread first and is sent from there: its bytes are the same in both.
  async *#accept(input: string | object | Uint8Array): Events {
    const isText = typeof input === 'string';
    if (isText && (input.trim() === '' || input === this.#unansweredText())) return;
    yield* this.#append(isText ? textContent(input) : input);
  }

  async *#rounds(signal: AbortSignal): Events {
    const { maxToolRounds = 16 } = this.#options;
    for (let rounds = 0; ; rounds++) {
      const { content, finishReason, usage } = yield* this.#ask(signal);
      const calls = content ? callsOf(content) : [];
      if (!content) yield { type: 'empty', finishReason };
      if (calls.length > 0 && rounds < maxToolRounds) {
        yield* this.#runTools(calls, signal);
        continue;
      }
      if (calls.length > 0) yield* this.#refuse(calls, rounds);
      yield { type: 'done', finishReason, usage };
      return;
    }
  }

  /** One request and its answer, which enters the thread only whole. */
  async *#ask(signal: AbortSignal): Events<Answer> {
    const { body, manifest, diagnostics } = await abortable(this.#assemble(), signal);
    yield { type: 'request', body, manifest };
    if (diagnostics.length > 0) yield { type: 'diagnostics', diagnostics };
    const { model, backend = 'gemini' } = this.#options;
    const response = await this.#client.stream(model, body, { signal });
    this.#previous = manifest;
    const answer = yield* readAnswer(response, this.#strata.response());
    const tokens = answer.usage['candidatesTokenCount'];
    const counted = typeof tokens === 'number' ? { tokens } : {};
    const meta = { model, backend, manifest, ...counted };
    if (answer.content) yield* this.#append(answer.content, meta);
    return answer;
  }

  async #assemble(): Promise<Assembled> {
    const { dynamic, static: fixed, toolConfig, generationConfig, safetySettings } = this.#options;
    const { cachedHistory, bufferTokens, strict } = this.#options;
    const assembled = this.thread.assemble({
      now: this.#now(),
      static: fixed,
      dynamic: typeof dynamic === 'function' ? await dynamic() : dynamic,
      tools: this.#tools.json,
      ...{ toolConfig, generationConfig, safetySettings, cachedHistory, bufferTokens, strict },
      previous: this.#previous,
    });
    const fault = assembled.diagnostics.find(({ severity }) => severity === 'error');
    if (assembled.ok || !fault) return assembled;
    throw new HistoryError(fault.code, fault.message, assembled.diagnostics);
  }

  /** Runs the calls together. What was finished when this is left stays in the thread. */
  async *#runTools(calls: ToolCall[], signal: AbortSignal): Events {
    if (calls.length === 0) return;
    const step: CallState[] = calls.map((call) => ({ call }));
    let closed: ConversationEvent[];
    try {
      for (const call of calls) yield { type: 'toolCall', call };
      for await (const { call, response } of this.#tools.run(step, signal)) {
        yield { type: 'toolResult', call, response };
      }
    } finally {
      closed = this.#close(step);
    }
    yield* closed;
  }

  async *#refuse(calls: ToolCall[], rounds: number): Events {
    const response = { error: `Not run: tools ran ${rounds} times for this request, its limit.` };
    yield* this.#close(calls.map((call) => ({ call, response })));
    yield { type: 'limit', rounds };
  }

  /** Every call gets its result, however a send ends: with an open one nothing could be sent any more. */
  #close(step: CallState[]): ConversationEvent[] {
    return step.length > 0 ? this.#append(resultsContent(step)) : [];
  }

  #append(content: JsonInput, meta: TurnMeta = {}): ConversationEvent[] {
    const { diagnostics } = this.thread.append(content, { at: this.#now(), ...meta });
    const index = this.thread.length - 1;
    const turn: ConversationEvent = { type: 'turn', index, content: this.thread.content(index) };
    return diagnostics.length > 0 ? [turn, { type: 'diagnostics', diagnostics }] : [turn];
  }

  #now(): string {
    return this.#options.now?.() ?? new Date().toISOString();
  }

  #openCalls(): ToolCall[] {
    const { length } = this.thread;
    return length > 0 ? callsOf(this.thread.content(length - 1)) : [];
  }

  #unansweredText(): string | undefined {
    const { length } = this.thread;
    return length > 0 ? userText(this.thread.content(length - 1)) : undefined;
  }
}
