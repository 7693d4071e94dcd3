// Implements conversations: each runs one send at a time, and after every step, including a failed one, its thread
// can be sent again.
import { abortable, Watch, dispose } from '../internal/lifetime.js';
import { bytesOf } from '../internal/bytes.js';
import type { GeminiClient } from '../client/client.js';
import { HistoryError, StrataError } from '../internal/errors.js';
import * as must from '../internal/options.js';
import { Stages } from './stages.js';
import type { FitSchema } from './tools/schema.js';
import type { DeclaredTools } from './tools/toolbox.js';
import type { InferOutput, SchemaLike } from '../types/schema.js';
import type { ModelLimits } from '../types/model.js';
import type { Strata } from '../types/strata.js';
import type { CoreThread, AnswerSummary } from '../types/core-objects.js';
import { textContent } from '../internal/contents.js';
import { usageAt } from '../internal/usage.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { TotalUsage, PrefixTotals } from '../types/usage.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { ToolCall } from '../types/tool.js';
import type { Content } from '../types/gemini/contents.js';
import { AnswerStream, streamOptions, type StreamOptions } from './answer-stream.js';
import { ResultReader, type AskResult } from './ask-result.js';
import { contentOf, isBlob, type ConversationInput, type Message } from './conversation-input.js';
import { Journal } from './journal.js';
import { SendQueue } from './send-queue.js';
import { ConversationThread, type LaterResult } from './conversation-thread.js';
import {
  checkLayers,
  checkOrigin,
  messageOptions,
  objectOptions,
  storeField,
  type ConversationOptions,
  type ObjectAnswer,
  type MessageOptions,
  type ObjectOptions,
  withMessage,
  type StorePlace,
} from './options.js';
import { ModelRows } from './model-rows.js';
import { Spending } from './spending.js';
import type { TranscriptTurn } from './transcript.js';
import { RequestFields } from './request-fields.js';
import type { ConversationPlugin, PluginContext } from './plugin.js';
import { PluginChain } from './plugin-chain.js';
import type { SendContext } from './send-request.js';
import { loadedToolUse, loadToolUse, noTools, runRounds } from './tool-rounds.js';
import { messageNotAdded, noAnswerYet } from './waiting-error.js';
import type { EventChannel } from './event-channel.js';
import { PendingSend, type SendEvents, type SendOptions } from './send-events.js';

// How long an aborted send waits for the store, in milliseconds.
const storeGraceMs = 1000;

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

/** What `SendKind` becomes once the send runs. */
interface RunSettings {
  plugin: ConversationPlugin | undefined;
  firstTurn: number | undefined;
  message: MessageOptions | undefined;
  spending: Spending;
}

/** What both forms of Conversation share. */
export abstract class BaseConversation<AnyThread> implements Disposable {
  readonly #strata: Strata;
  readonly #client: GeminiClient;
  readonly #options: ConversationOptions;
  #live: ConversationThread;
  #tools: DeclaredTools | undefined;
  #plugins: ConversationPlugin[] | undefined;
  readonly #queue = new SendQueue();
  readonly #fields: RequestFields;
  /** The findings that a result has reported. */
  readonly #reported = new Set<string>();
  readonly #noted = new Set<string>();
  readonly #spending = new Spending();
  readonly #rows: ModelRows;

  /** @internal */
  constructor(strata: Strata, client: GeminiClient, options: ConversationOptions) {
    must.objectWith('thread')(strata, '/strata');
    must.objectWith('stream', 'redact')(client, '/client');
    checkLayers(options);
    checkOrigin(options);
    this.#strata = strata;
    this.#rows = new ModelRows(strata);
    this.#client = client;
    const { baseUrl, backend } = client;
    this.#options = { ...options, backend: options.backend ?? backend };
    this.#live = ConversationThread.create(strata, this.#options);
    this.#fields = new RequestFields({ ...this.#options, store: storeField(options), baseUrl });
  }

  /**
   * Loads the thread of a new conversation from its store.
   *
   * @internal
   */
  protected static async loadFrom<T extends BaseConversation<unknown>>(
    { store, id, damaged }: StorePlace,
    conversation: T,
  ): Promise<T> {
    const journal = new Journal(store, id);
    const { systemText } = conversation.#live;
    conversation.#live.free();
    conversation.#live = await ConversationThread.load(
      conversation.#strata,
      conversation.#options,
      journal,
      damaged,
    );
    conversation.#live.systemText ||= systemText;
    const { spent } = conversation.#live.thread.stored ?? {};
    if (spent) conversation.#spending.restore(spent);
    return conversation;
  }

  /**
   * Creates the plugins that the options ask for.
   *
   * @internal
   */
  protected abstract createPlugins(options: ConversationOptions): Promise<ConversationPlugin[]>;

  /** The thread with all turns. Compression replaces it, so do not hold on to the reference. */
  get thread(): AnyThread {
    return this.#live.thread as AnyThread;
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
    if (this.#queue.isEmpty) this.#free();
    else {
      const error = new ReferenceError('This conversation was disposed');
      void this.#queue.endAll(error).then(() => this.#free());
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

  // The plugins of the options may serve other conversations.
  #free(): void {
    this.#live.free();
    const given: readonly object[] = this.#options.plugins ?? [];
    for (const plugin of this.#plugins ?? []) {
      if (!given.includes(plugin)) (plugin as Partial<Disposable>)[dispose]?.();
    }
  }

  /** All turns as Contents, parsed anew at each access. `thread.content(i)` has the bytes. */
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
   * or Files, or a complete user Content. Work advances only as you iterate; leaving the loop aborts the send. If you
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
    must.schemaLike(schema, '/schema');
    must.checkOptions(options, objectOptions);
    const { onEvent, ...message } = { ...options, signal: options.signal };
    let output: { result: { object: unknown } | undefined } | undefined;
    const prepare = async () => {
      const { ObjectPlugin } = await import('../../agent/structured-output.js');
      return (output = new ObjectPlugin(schema, this.#fit));
    };
    const send = this.#start(input, message, { prepare, isHeard: onEvent !== undefined });
    const { usage, warnings, metadata } = await send.readResult(onEvent);
    if (!output?.result) throw noAnswerYet();
    const object = output.result.object as InferOutput<Schema>;
    return { object, usage, warnings, ...(metadata && { metadata }) };
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
      this.#spending.see(event, this.#costOf);
    };
    const run = async (events: EventChannel) => {
      if (options !== undefined) must.checkOptions(options, messageOptions);
      if (!this.#queue.isEmpty && this.#options.concurrent !== 'queue') throw busyError();
      const own = (watch = new Watch(options?.signal, 0, Error));
      const { ready, leave } = this.#queue.enter((error) => {
        events.end(error);
        own.abort(error);
      });
      try {
        if (ready) await abortable(ready, watch.signal);
        await this.#asModel(options?.model, async () => {
          const plugin = await prepare?.();
          await this.#run(input, own, events, { plugin, firstTurn, message: options, spending });
        });
      } finally {
        watch.release();
        leave();
      }
    };
    const leave = () => watch?.abort();
    return new PendingSend(run, leave, this.#resultReader(isHeard), call, see);
  }

  // Runs a send whose requests this model answers.
  async #asModel(model: string | undefined, run: () => Promise<void>): Promise<void> {
    if (model === undefined) return run();
    const goBack = this.#live.useModel(model);
    await run().then(goBack, (error: unknown) => {
      // After a trap there is no other thread; the error says so.
      attempt(goBack);
      throw error;
    });
  }

  readonly #costOf = ({ usage, model }: UsageEvent): number | undefined => {
    const service = { backend: this.#live.backend, now: this.#live.now() };
    return usageAt(usage, this.#rows.price(model, service)).usd;
  };

  // The core knows which schemas a model takes; the smaller one leaves them as they are.
  readonly #fit: FitSchema = (schema) => {
    const { model, backend, now } = this.#live;
    if (!this.#strata.schema) return { schema, diagnostics: [] };
    return this.#strata.schema(schema, { model, backend, now: now() });
  };

  async #run(
    message: ConversationInput,
    watch: Watch,
    events: EventChannel,
    run: RunSettings,
  ): Promise<void> {
    const { spending } = run;
    if (watch.aborted) throw watch.reason;
    // A field that is missing in what the caller received is not JSON that is wrong.
    if (typeof message !== 'string' && Object(message) !== message)
      throw must.invalidOption('/input', 'a text, a list of Parts, or a user Content');
    if (isBlob(message)) throw must.invalidOption('/input', 'a list with the Blob in it: [blob]');
    const input = Array.isArray(message) ? await contentOf(message, watch.signal) : message;
    const live = this.#live;
    refuseModelContent(input, live.thread);
    const stages = new Stages(this.#options.onStage);
    live.journal.setWatch(watch);
    live.hasReader = events.hasReader;
    let [completed, isAdded] = [false, false];
    const added = () => void (isAdded = true);
    try {
      await live.sync();
      const { openCalls } = live.thread.state();
      // Append the user's message before tool sources are queried, because they may fail.
      if (openCalls.length === 0) await this.#accept(input, stages, events, added);
      const context = await this.#context(stages, watch, events, run);
      const diagnostics = [...live.takeDiagnostics(), ...context.tools.takeDiagnostics()];
      if (diagnostics.length > 0) await events.put([{ type: 'diagnostics', diagnostics }]);
      await context.plugins.onStart(context.earlier);
      if (openCalls.length > 0) {
        const { runCalls } = loadedToolUse() ?? (await loadToolUse());
        completed = !(await runCalls(openCalls, context));
        if (completed && !isBlank(input)) throw messageNotAdded();
        if (completed) return;
        await this.#accept(input, stages, events, added);
      }
      const answer = await runRounds(context);
      if (answer) await events.put([doneEvent(answer, spending)]);
      completed = true;
    } finally {
      live.journal.setWatch(undefined);
      const drops = this.#options.onAbort === 'drop' && isAdded && watch.aborted;
      if (!completed) await this.#closeOpenCalls(watch, drops);
    }
  }

  // Answers the open calls of a send that ends early. Turns that the store misses are written by the next send.
  async #closeOpenCalls(watch: Watch, dropsMessage: boolean): Promise<void> {
    const live = this.#live;
    watch.abort();
    try {
      await closeOpenCalls(live);
      const { kind, hasResponses } = live.thread.state();
      if (dropsMessage && kind === 'user' && !hasResponses) live.rewindNow(live.thread.length - 1);
    } finally {
      // A trapped instance cannot append results, but its turns can be stored.
      await live.journal.syncWithin(storeGraceMs, live.thread);
    }
  }

  async #context(
    stages: Stages,
    watch: Watch,
    events: EventChannel,
    { plugin, firstTurn, message, spending }: RunSettings,
  ): Promise<SendContext> {
    const [strata, client, live] = [this.#strata, this.#client, this.#live];
    const options = message ? withMessage(this.#options, message) : this.#options;
    const isOwn = message?.tools === undefined && message?.model === undefined;
    const tools = isOwn
      ? (this.#tools ??= await this.#discover(options, watch))
      : await this.#discover(options, watch);
    // Plugins keep their state between sends.
    this.#plugins ??= await this.createPlugins(this.#options);
    const own = plugin ? [plugin, ...this.#plugins] : this.#plugins;
    const pluginContext = this.#pluginContext(options, watch, events);
    const plugins = new PluginChain(own, pluginContext, events, watch);
    return {
      strata,
      client,
      options,
      live,
      tools,
      plugins,
      stages,
      fields: this.#fields,
      watch,
      events,
      noted: this.#noted,
      earlier: earlierCalls(live.thread, firstTurn),
      failed: [],
      spending,
      spentSoFar: () => this.#spending.spent,
    };
  }

  #pluginContext(
    options: ConversationOptions,
    watch: Watch,
    { emit }: EventChannel,
  ): Omit<PluginContext, 'recordRemoval'> {
    const live = this.#live;
    const { model, backend, journal } = live;
    return {
      strata: this.#strata,
      client: this.#client,
      model,
      backend,
      get signal() {
        return watch.signal;
      },
      emit,
      now: live.now,
      requestFields: this.#fields,
      safetySettings: options.safetySettings,
      limits: () => limitsOf(this.#rows, live, options),
      store: (name, bytes) => journal.store(name, bytes),
      readStored: (name) => journal.readStored(name),
      notes: journal.notes,
    };
  }

  // A source that fails now may succeed for the next send, which has its own signal.
  async #discover({ tools = [] }: ConversationOptions, { signal }: Watch): Promise<DeclaredTools> {
    if (tools.length === 0) return noTools;
    // Loaded before the first request, because its answer may have calls.
    const { Toolbox } = await abortable(loadToolUse(), signal);
    return abortable(Toolbox.discover(tools, this.#fit, signal), signal);
  }

  // The Content is appended first and sent from the thread, so that the stored and the sent bytes are equal.
  // Adds the message. `added` is called once it is in the thread, before it is stored.
  async #accept(
    input: Message,
    stages: Stages,
    events: EventChannel,
    added: () => void,
  ): Promise<void> {
    const isText = typeof input === 'string';
    const live = this.#live;
    if (isBlank(input) || (isText && isUnanswered(input, live.thread))) return;
    const content = isText ? textContent(input) : input;
    const commit = () => {
      const turn = live.commit(content);
      added();
      return turn;
    };
    await events.put(await stages.run('build_user_message', commit));
  }
}

// Answers the calls that are open, if any, with an error for the model.
async function closeOpenCalls(live: ConversationThread, error?: string): Promise<void> {
  if (live.thread.state().openCalls.length === 0) return;
  const toolUse = loadedToolUse() ?? (await loadToolUse());
  toolUse.closeOpenCalls(live, error);
}

function doneEvent(
  { text, finishReason, response }: AnswerSummary,
  { usage }: Spending,
): ConversationEvent {
  const {
    finishReason: _,
    index,
    tokenCount,
    continuationToken,
    ...metadata
  } = response.candidates?.[0] ?? {};
  void [index, tokenCount, continuationToken];
  const said = Object.keys(metadata).length > 0;
  return { type: 'done', text, finishReason, usage, ...(said && { metadata }) };
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Another error is thrown.
  }
}

/** Returns the calls of each answer that a longer send has had. */
function earlierCalls(thread: CoreThread, firstTurn: number | undefined): ToolCall[][] {
  if (firstTurn === undefined) return [];
  const { turns } = thread.timeline({ from: firstTurn });
  return turns.flatMap(({ calls }) => (calls.length > 0 ? [calls] : []));
}

// A blank text resumes.
const isBlank = (input: Message): boolean => typeof input === 'string' && input.trim() === '';

// Returns whether the thread ends in a user turn of this text alone.
const isUnanswered = (text: string, thread: CoreThread) =>
  thread.state().kind === 'user' && thread.onlyText() === text;

// An input that is not JSON is refused when it is appended; OpenAI's name of the role is repaired there.
function refuseModelContent(input: Message, thread: CoreThread): void {
  if (typeof input === 'string') return;
  const bytes = bytesOf(input);
  const role: unknown = bytes ? thread.roleOf(bytes) : Object(input).role;
  if (typeof role !== 'string' || !/^(assistant|model)$/i.test(role)) return;
  const message = `A message is a user Content, not one with the role '${role}'. Turns that came before are the option \`history\`.`;
  throw new HistoryError('trigger.missing', message);
}

// The API's limits, where they are known, replace those of the catalogue.
function limitsOf(
  rows: ModelRows,
  live: ConversationThread,
  { limits = {} }: ConversationOptions,
): ModelLimits {
  const { model, backend } = live;
  const row = rows.find(model, { backend, now: live.now() });
  const { inputTokenLimit = row.contextTokens, outputTokenLimit = row.outputTokens } = limits;
  return { ...row, contextTokens: inputTokenLimit, outputTokens: outputTokenLimit };
}

function busyError(): StrataError {
  const advice = "Await it, or set the option `concurrent: 'queue'`";
  return new StrataError('conversation.busy', `Another send is still running. ${advice}`);
}
