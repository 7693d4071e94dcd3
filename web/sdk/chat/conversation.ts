// Implements `Conversation`: it runs one send at a time, and after every step, including a failed one, its
// thread can be sent again.
import { abortable, Watch, dispose } from '../internal/lifetime.js';
import type { Content } from '../types/gemini/contents.js';
import type { InferOutput, SchemaLike } from '../types/schema.js';
import { StrataError } from '../internal/errors.js';
import * as must from '../internal/options.js';
import type { GeminiClient } from '../client/client.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import type { Wire } from '../types/wire.js';
import type { TotalUsage, PrefixTotals } from '../types/usage.js';
import { AnswerStream, streamOptions, type StreamOptions } from './answer-stream.js';
import { noAnswerYet, ResultReader, type AskResult } from './ask-result.js';
import type { ConversationInput } from './conversation-input.js';
import { givenThread, type ConversationThread, type LaterResult } from './conversation-thread.js';
import { checkSettings } from './check-settings.js';
import type { OwnHistory } from './import-history.js';
import {
  PendingSend,
  SendQueue,
  type EventChannel,
  type SendEvents,
  type SendOptions,
} from './event-channel.js';
import {
  checkLayers,
  checkMessage,
  checkOrigin,
  checkWire,
  commonOptions,
  messageOptions,
  objectOptions,
  pluginOptions,
  splitPlace,
  withAnswerer,
} from './check-options.js';
import type {
  AnyConversationOptions,
  ConversationOptions,
  MessageOptions,
  ObjectAnswer,
  ObjectOptions,
  StorePlace,
} from './options.js';
import type { ConversationPlugin, SendObserver } from './plugin.js';
import { closeOpenCalls, Sends } from './sends.js';
import { Spending } from './spending.js';
import type { TranscriptTurn } from './transcript.js';

/** What a send is besides one of `send`. */
interface SendKind {
  /** Whether the caller has the events. */
  isHeard?: boolean;
  /** Loads a plugin of this send alone, whose hooks run first. */
  prepare?: () => Promise<ConversationPlugin>;
  /** For a part of a longer send: the index of that send's first turn. */
  firstTurn?: number;
  /** Has the caller's frames, unless the caller awaits the send. */
  call?: Error;
}

/**
 * A conversation with a model. After any failure (an HTTP error, a truncated or blocked answer, an abort) the
 * thread ends in a user Content: the user's text or a complete set of tool results. An incomplete answer is
 * discarded. To resume, call `send('')` or send the same text again.
 *
 * @example
 * const chat = new Conversation(await load(), new GeminiClient({ apiKey }), { model });
 * for await (const event of chat.send('Hello')) if (event.type === 'text') show(event.text);
 */
export class Conversation implements Disposable {
  readonly #options: ConversationOptions;
  readonly #queue = new SendQueue();
  readonly #sends: Sends;
  /** The findings that a result has reported. */
  readonly #reported = new Set<string>();
  readonly #spending = new Spending();

  /**
   * A template of the options is compiled before the first request: then a mistake in it throws TemplateError, or
   * StrataError `field.unknown` for a misspelled variable. `connect` and `open` do that at once.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option or setting
   */
  constructor(strata: Strata, client: GeminiClient, given: AnyConversationOptions) {
    const options = withAnswerer(given);
    must.checkOptions(options, { ...commonOptions, ...pluginOptions });
    must.objectWith('thread')(strata, '/strata');
    must.objectWith('stream', 'redact')(client, '/client');
    checkLayers(options);
    checkOrigin(options);
    checkWire(options, options.wire);
    this.#options = { ...options, backend: options.backend ?? client.backend };
    this.#sends = new Sends(strata, client, this.#options, this.#spending);
    checkSettings(strata, options);
  }

  /**
   * Opens the conversation that a store has under this id, or creates it. Every turn is stored before the
   * next step begins. After a crash `send('')` resumes: it repeats the request that was not answered, or
   * runs the calls that have no stored result.
   *
   * @throws StrataError like the constructor; TemplateError for a template that does not compile
   * @throws HistoryError if the stored lines cannot be read, and what the store throws
   *
   * @example
   * const place = { store: new IndexedDbStore('my-app'), id: 'today' };
   * const chat = await Conversation.open(strata, client, { model, ...place });
   */
  static async open(
    strata: Strata,
    client: GeminiClient,
    options: AnyConversationOptions<ConversationOptions & StorePlace>,
  ): Promise<Conversation> {
    const { others, place } = splitPlace(withAnswerer(options));
    const conversation = await Conversation.create(strata, client, others);
    const spent = await conversation.#sends.load(place);
    if (spent) conversation.#spending.restore(spent);
    return conversation;
  }

  /**
   * Creates a conversation that is not stored. A history of another client is converted, templates are compiled, and
   * schemas of tools are checked.
   *
   * @internal
   */
  static async create(
    strata: Strata,
    client: GeminiClient,
    given: AnyConversationOptions,
  ): Promise<Conversation> {
    const options = withAnswerer(given);
    const { history, imported } = await historyOf(strata, options);
    const conversation = new Conversation(strata, client, { ...options, ...history });
    if (imported) conversation.#live.noteImport(imported);
    await conversation.#sends.layers.prepare();
    await conversation.#sends.checkTools();
    return conversation;
  }

  /** The thread with all turns. Compression replaces it, so do not hold on to the reference. */
  get thread(): Thread {
    return this.#live.thread;
  }

  /**
   * The API that the next send is for; docs/interactions.md. The turns stay as they are.
   *
   * @throws StrataError `field.invalid` for another value or with the option `caching`; `conversation.busy` while a send
   *   is running
   *
   * @example
   * chat.wire = 'interactions';
   */
  get wire(): Wire {
    return this.#live.wire;
  }

  set wire(wire: Wire) {
    must.nonEmptyString(wire, '/wire');
    checkWire(this.#options, wire);
    if (!this.#queue.isEmpty) throw busyError();
    this.#live.wire = wire;
  }

  /**
   * The id of the interaction that the last turn waits for, which runs in the background at Google: while a send waits, and
   * after a send that failed, was aborted without success, or ended with its process. The next send takes its answer.
   *
   * @example
   * if (chat.backgroundId) await chat.send('');
   */
  get backgroundId(): string | undefined {
    return this.#live.backgroundId;
  }

  /** Whether a user turn, tool results or calls are unanswered, so that `send('')` resumes them. */
  get unanswered(): boolean {
    return this.#live.thread.state().awaitsAnswer;
  }

  /**
   * How much of the prompts could be read from a cache, and how much was, since this object was created:
   * docs/implicit-caching.md.
   */
  get prefixUse(): PrefixTotals {
    return this.#spending.prefix;
  }

  /** What `damaged: 'salvage'` left out of the stored conversation; empty if all of it could be read. */
  get damage(): readonly Diagnostic[] {
    return this.#live.damage;
  }

  /**
   * The token counts of all requests of the conversation together, with their number; of a stored one, with those before
   * it was opened. docs/conversation.md says what is counted.
   */
  get usage(): TotalUsage {
    return this.#spending.usage;
  }

  /**
   * What these requests cost in USD: an estimate at list prices, as `usage` makes it. `usd` is missing if the price of
   * one of them is not known. docs/conversation.md says what the estimate covers.
   */
  get cost(): { usd?: number } {
    return this.#spending.cost;
  }

  /**
   * Returns every turn that was ever said, in order, also those that compression has removed from the prompt. Show this
   * to users, not `history`, which may start with a summary.
   *
   * @throws what the store throws; StrataError `store.damaged` if it no longer has what was removed
   *
   * @example
   * const said = (await chat.transcript()).filter(({ summary }) => !summary);
   */
  async transcript(): Promise<TranscriptTurn[]> {
    const { transcriptOf } = await import('./transcript.js');
    return transcriptOf(this.#live);
  }

  /**
   * Returns a stored tool result by its name (`storedAs` of an event, also named in the prompt).
   *
   * @throws what the store throws
   */
  async readStored(name: string): Promise<Uint8Array | undefined> {
    return this.#live.journal.readStored(name);
  }

  /**
   * Removes all turns after the first `length`, in the store as well.
   *
   * @throws StrataError `conversation.busy` while a send is running
   * @throws RangeError if the thread has fewer turns
   * @throws what the store throws
   */
  async rewind(length: number): Promise<void> {
    must.number(length, '/length');
    if (!this.#queue.isEmpty) throw busyError();
    await this.#live.rewind(length);
  }

  /**
   * Answers the calls that stayed open with an error for the model, so that a message can follow. Results that a step
   * has already are kept. Default: `Stopped before it finished.`
   *
   * @throws StrataError `conversation.busy` while a send is running
   * @throws what the store throws
   *
   * @example
   * await chat.closeCalls('The user did not answer.');
   */
  async closeCalls(error?: string): Promise<void> {
    if (!this.#queue.isEmpty) throw busyError();
    await this.#live.sync();
    await closeOpenCalls(this.#live, error);
    await this.#live.sync();
  }

  /**
   * Frees the thread's WebAssembly memory at once; the garbage collector would free it late or never. A thread passed
   * in the options is not freed. Aborts running sends first; their readers get a ReferenceError, as any later use does.
   */
  [dispose](): void {
    if (this.#queue.isEmpty) this.#sends.free();
    else {
      const error = new ReferenceError('This conversation was disposed');
      void this.#queue.endAll(error).then(() => this.#sends.free());
    }
  }

  /**
   * Sets where results of paused calls are that no send has taken yet, so that closing the calls keeps them.
   *
   * @internal
   */
  set laterResult(find: LaterResult) {
    this.#live.laterResult = find;
  }

  /**
   * A copy of all turns as Contents, parsed anew at each access. To change turns, `rewind`, or begin another conversation
   * with the option `history`. `thread.content(i)` has the bytes.
   */
  get history(): Content[] {
    const { turns } = this.#live.thread.timeline({ content: true });
    return turns.flatMap(({ content }) => content ?? []);
  }

  /**
   * Sends a message, runs the tools that the model calls, and returns the last answer. The request starts at once,
   * whether or not the promise is awaited. Options such as `generationConfig` hold for this message.
   *
   * @throws what `send` throws; StrataError `conversation.waiting` if a tool paused its call
   *
   * @example
   * const { text } = await chat.ask(['What is in this picture?', file]);
   * @example
   * const { text } = await chat.ask('A joke', { generationConfig: { temperature: 2 }, tools: [] });
   */
  async ask(input: ConversationInput, options?: MessageOptions): Promise<AskResult> {
    // Awaited here, so that the stack of an error has the caller.
    return await this.#start(input, options).readResult();
  }

  /**
   * Sends a message and returns its answer as a stream. The request starts at once. A reader that leaves, or stops
   * reading for `stallTimeoutMs`, aborts the send.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option; reading throws what `send` throws
   *
   * @example
   * for await (const text of chat.stream('Hello').textStream) process.stdout.write(text);
   * @example
   * export default { fetch: async (request) => chat.stream(await request.text()).toResponse() };
   */
  stream(input: ConversationInput, options: StreamOptions & MessageOptions = {}): AnswerStream {
    must.checkOptions(options, { ...streamOptions, ...messageOptions });
    // That of an AbortController is no property of its own.
    const { stallTimeoutMs, ...others } = { ...options, signal: options.signal };
    const reader = this.#resultReader();
    const send = this.#start(input, others, { call: new Error() });
    return new AnswerStream(send, reader, stallTimeoutMs);
  }

  /**
   * Sends a message and runs until the model calls no more tools. A message is a text, a list of texts, Parts and Blobs
   * or Files, a complete user Content, or one `user_input` step, also in a list. Work advances only as you iterate; leaving the loop aborts the send. If you
   * await it instead, it runs to its end and returns what `ask` does. A blank text adds nothing: it resumes a thread that
   * ends in a user turn or in unanswered calls.
   *
   * @throws HistoryError for an input or a request that the API would refuse; GeminiError for an answer
   *   that is an error, incomplete or blocked; the signal's reason after an abort; StrataError
   *   `conversation.busy` while another send is running, unless `concurrent` is `queue`; `conversation.waiting` if
   *   calls are still open, so that a message cannot be added.
   */
  send(input: ConversationInput, options?: MessageOptions): SendEvents {
    return this.#start(input, options, { call: new Error() });
  }

  /**
   * Sends like `send('')`, as a part of a send whose first turn has this index: its tool rounds and repeated calls count,
   * too. A Worker continues its sends so, which pause more often than they end.
   *
   * @internal
   */
  continueSend(firstTurn: number, options?: SendOptions): AsyncIterableIterator<ConversationEvent> {
    return this.#start('', options, { firstTurn, call: new Error() });
  }

  /**
   * Sends like `send` and returns an answer that is JSON of a schema, validated by it. If the answer does not match,
   * the model is asked once more, with the validator's words. Both answers and the question stay in the thread.
   * Models before Gemini 3 refuse it together with tools (`tools.json_mode`).
   *
   * @throws what `send` throws; ObjectError `object.invalid` if the second answer does not match either;
   *   StrataError `schema.not_convertible`; `conversation.waiting` if a tool paused its call
   *
   * @example
   * const schema = { type: 'object', properties: { sky: { enum: ['clear', 'cloudy'] } }, required: ['sky'] } as const;
   * const { object } = await chat.object(schema, 'How is the sky?'); // object.sky: 'clear' | 'cloudy'
   */
  async object<const Schema extends SchemaLike>(
    schema: Schema,
    input: ConversationInput,
    options: ObjectOptions = {},
  ): Promise<ObjectAnswer<InferOutput<Schema>>> {
    if (typeof schema === 'string')
      throw must.invalidOption('/schema', 'the first argument, before the message');
    must.schemaLike(schema, '/schema');
    must.checkOptions(options, objectOptions);
    const { onEvent, ...message } = { ...options, signal: options.signal };
    let output: { result: { object: unknown } | undefined } | undefined;
    const prepare = async () => {
      const { ObjectPlugin } = await import('../../agent/structured-output.js');
      return (output = new ObjectPlugin(schema, this.#sends.fit));
    };
    const send = this.#start(input, message, { prepare, isHeard: onEvent !== undefined });
    const { usage, warnings, metadata } = await send.readResult(onEvent);
    if (!output?.result) throw noAnswerYet();
    const object = output.result.object as InferOutput<Schema>;
    return { object, usage, warnings, ...(metadata && { metadata }) };
  }

  get #live(): ConversationThread {
    return this.#sends.live;
  }

  #resultReader(isHeard = false): ResultReader {
    return new ResultReader(this.#reported, isHeard || this.#options.onToolError !== undefined);
  }

  #start(
    input: ConversationInput,
    options: MessageOptions | undefined,
    { prepare, firstTurn, isHeard, call }: SendKind = {},
  ): PendingSend {
    let watch: Watch | undefined;
    const spending = new Spending();
    const see = (event: ConversationEvent) => {
      spending.see(event, () => undefined);
      this.#spending.see(event, this.#sends.costOf);
      observers.forEach((each) => each.see(event));
    };
    let observers: SendObserver[] = [];
    const run = async (events: EventChannel) => {
      if (options !== undefined) {
        must.checkOptions(options, messageOptions);
        checkMessage(this.#options, this.wire, options);
      }
      if (!this.#queue.isEmpty && this.#options.concurrent !== 'queue') throw busyError();
      const own = (watch = new Watch(options?.signal, 0, Error));
      const { ready, leave } = this.#queue.enter((error) => {
        events.end(error);
        own.abort(error);
      });
      try {
        if (ready) await abortable(ready, watch.signal);
        await this.#sends.run(input, own, events, {
          prepare,
          firstTurn,
          message: options,
          spending,
        });
      } finally {
        watch.release();
        leave();
      }
    };
    const observed = async (events: EventChannel) => {
      observers = this.#sends.observers();
      let failure: unknown;
      try {
        await run(events);
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        observers.forEach((each) => each.end(failure));
      }
    };
    const leave = () => watch?.abort();
    return new PendingSend(observed, leave, this.#resultReader(isHeard), call, see);
  }
}

// What converts histories is loaded only where there is one.
async function historyOf(
  strata: Strata,
  options: ConversationOptions,
): Promise<Partial<OwnHistory>> {
  if (options.history == null) return {};
  const { importHistory } = await import('./import-history.js');
  return importHistory(options, (history) => givenThread(strata, { ...options, history }));
}

function busyError(): StrataError {
  const advice = "Await it, or set the option `concurrent: 'queue'`";
  return new StrataError('conversation.busy', `Another send is still running. ${advice}`);
}
