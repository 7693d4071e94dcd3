// Runs the sends of one conversation: adds the message to the thread, requests answers and runs tools until the last
// answer, and leaves a thread that can be sent again.
import { abortable, dispose, promiseTry, type Watch } from '../internal/lifetime.js';
import { textContent } from '../internal/contents.js';
import type { AnswerSummary, CoreThread } from '../types/core-objects.js';
import { usageAt } from '../internal/cost.js';
import type { GeminiClient } from '../client/client.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { ModelLimits } from '../types/model.js';
import type { Strata } from '../types/strata.js';
import type { Spent } from '../types/usage.js';
import type { ToolCall } from '../types/tool.js';
import { pluginsFor } from './builtin-plugins.js';
import {
  isBlank,
  isUnanswered,
  messageOf,
  type ConversationInput,
  type Message,
} from './conversation-input.js';
import { ConversationThread } from './conversation-thread.js';
import { Journal } from './journal.js';
import type { EventChannel } from './event-channel.js';
import { LayerTemplates } from './layer-templates.js';
import { withMessage } from './check-options.js';
import type { ConversationOptions, MessageOptions, StorePlace } from './options.js';
import type { ConversationPlugin, PluginContext, SendObserver } from './plugin.js';
import { PluginChain } from './plugin-chain.js';
import { RequestFields } from './request-fields.js';
import type { SendContext } from './send-request.js';
import { ModelRows, type Spending } from './spending.js';
import { Stages } from './stages.js';
import { loadedToolUse, loadToolUse, noTools, runRounds } from './tool-rounds.js';
import type { FitSchema } from './tools/schema.js';
import type { DeclaredTools } from './tools/toolbox.js';
import { messageNotAdded } from './ask-result.js';

// How long an aborted send waits for the store, in milliseconds.
const storeGraceMs = 1000;

/** What one send is besides its message. */
export interface SendSettings {
  message: MessageOptions | undefined;
  spending: Spending;
  /** Loads a plugin of this send alone, whose hooks run first. */
  prepare?: (() => Promise<ConversationPlugin>) | undefined;
  /** For a part of a longer send: the index of that send's first turn. */
  firstTurn?: number | undefined;
}

/** The thread of a conversation, and what its sends share. */
export class Sends {
  live: ConversationThread;
  readonly layers: LayerTemplates;
  readonly #strata: Strata;
  readonly #client: GeminiClient;
  readonly #options: ConversationOptions;
  readonly #rows: ModelRows;
  readonly #fields: RequestFields;
  readonly #spending: Spending;
  /** The names of the tools whose missing result was reported. */
  readonly #noted = new Set<string>();
  #tools: DeclaredTools | undefined;
  #plugins: ConversationPlugin[] | undefined;

  constructor(
    strata: Strata,
    client: GeminiClient,
    options: ConversationOptions,
    spending: Spending,
  ) {
    this.#strata = strata;
    this.#client = client;
    this.#options = options;
    this.#spending = spending;
    this.layers = new LayerTemplates(options);
    this.#rows = new ModelRows(strata);
    const { baseUrl } = client;
    this.live = ConversationThread.create(strata, options);
    this.#fields = new RequestFields({ ...options, store: options.storeRequests, baseUrl });
  }

  /** Replaces the thread with that of a store. Returns what it has cost. */
  async load({ store, id, damaged }: StorePlace): Promise<Spent | undefined> {
    const before = this.live;
    before.free();
    const journal = new Journal(store, id);
    this.live = await ConversationThread.load(this.#strata, this.#options, journal, damaged);
    this.live.takeImport(before);
    return this.live.thread.stored?.spent;
  }

  /** Frees the thread, and the plugins that serve no other conversation. */
  free(): void {
    this.live.free();
    this.layers[dispose]();
    const given: readonly object[] = this.#options.plugins ?? [];
    for (const plugin of this.#plugins ?? []) {
      if (!given.includes(plugin)) (plugin as Partial<Disposable>)[dispose]?.();
    }
  }

  /** Returns what the plugins of the options have to see a send that begins. */
  observers(): SendObserver[] {
    const { model, backend, journal } = this.live;
    const about = { model, backend, id: journal.id, baseUrl: this.#client.baseUrl };
    return (this.#options.plugins ?? []).flatMap((plugin) => plugin.observe?.(about) ?? []);
  }

  /** Runs a send, and goes back to the conversation's model. */
  async run(
    input: ConversationInput,
    watch: Watch,
    events: EventChannel,
    settings: SendSettings,
  ): Promise<void> {
    // Its message, or a fallback, may have another model.
    const goBack = this.live.useModel(settings.message?.model ?? this.live.model);
    try {
      await this.#run(input, watch, events, settings);
    } catch (error) {
      // After a trap there is no other thread; the error says so.
      await promiseTry(goBack).catch(() => {});
      throw error;
    }
    goBack();
  }

  /** Returns the cost of a request; undefined if its price is not known. */
  readonly costOf = ({ usage, model }: UsageEvent): number | undefined => {
    const service = { backend: this.live.backend, now: this.live.now() };
    return usageAt(usage, this.#rows.price(model, service)).usd;
  };

  /** Returns the form of a schema that the model takes. */
  readonly fit: FitSchema = (schema) => {
    const { model, backend, now } = this.live;
    return this.#strata.schema(schema, { model, backend, now: now() });
  };

  async #run(
    message: ConversationInput,
    watch: Watch,
    events: EventChannel,
    settings: SendSettings,
  ): Promise<void> {
    const plugin = await settings.prepare?.();
    if (watch.aborted) throw watch.reason;
    const { live } = this;
    const input = await messageOf(message, live.thread, watch);
    await this.layers.prepare();
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
      const context = await this.#context(stages, watch, events, settings, plugin);
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
      if (answer) await events.put([doneEvent(answer, settings.spending)]);
      completed = true;
    } finally {
      live.journal.setWatch(undefined);
      const drops = this.#options.onAbort === 'drop' && isAdded && watch.aborted;
      if (!completed) await this.#closeOpenCalls(watch, drops);
    }
  }

  // Answers the open calls of a send that ends early. Turns that the store misses are written by the next send.
  async #closeOpenCalls(watch: Watch, dropsMessage: boolean): Promise<void> {
    const live = this.live;
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
    { firstTurn, message }: SendSettings,
    plugin: ConversationPlugin | undefined,
  ): Promise<SendContext> {
    const { live } = this;
    const options = message ? withMessage(this.#options, message) : this.#options;
    const isOwn = message?.tools === undefined && message?.model === undefined;
    const tools = isOwn
      ? (this.#tools ??= await this.#discover(options, watch))
      : await this.#discover(options, watch);
    // Plugins keep their state between sends.
    this.#plugins ??= await pluginsFor(this.#options);
    const own = plugin ? [plugin, ...this.#plugins] : this.#plugins;
    const pluginContext = this.#pluginContext(options, watch, events);
    const plugins = new PluginChain(own, pluginContext, events, watch);
    return {
      client: this.#client,
      options,
      live,
      layers: this.layers,
      tools,
      plugins,
      stages,
      fields: this.#fields,
      watch,
      events,
      noted: this.#noted,
      earlier: earlierCalls(live.thread, firstTurn),
      failed: [],
      spentSoFar: () => this.#spending.spent,
    };
  }

  #pluginContext(
    options: ConversationOptions,
    watch: Watch,
    { emit }: EventChannel,
  ): Omit<PluginContext, 'recordRemoval'> {
    const live = this.live;
    const { backend, journal } = live;
    return {
      strata: this.#strata,
      client: this.#client,
      get model() {
        return live.model;
      },
      backend,
      get wire() {
        return live.wire;
      },
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
  /** Checks the schemas of the tools before the first request. Throws like `argumentsSchemaOf`. */
  async checkTools(): Promise<void> {
    const { tools = [] } = this.#options;
    if (tools.length === 0) return;
    const { Toolbox } = await loadToolUse();
    await Toolbox.check(tools);
  }

  async #discover({ tools = [] }: ConversationOptions, { signal }: Watch): Promise<DeclaredTools> {
    if (tools.length === 0) return noTools;
    // Loaded before the first request, because its answer may have calls.
    const { Toolbox } = await abortable(loadToolUse(), signal);
    return abortable(Toolbox.discover(tools, this.fit, signal), signal);
  }

  // Adds the message, which is sent from the thread, so that the stored and the sent bytes are equal. `added` is called
  // once it is in the thread, before it is stored.
  async #accept(
    input: Message,
    stages: Stages,
    events: EventChannel,
    added: () => void,
  ): Promise<void> {
    const isText = typeof input === 'string';
    const live = this.live;
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

/** Answers the calls that are open, if any, with an error for the model. */
export async function closeOpenCalls(live: ConversationThread, error?: string): Promise<void> {
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

/** Returns the calls of each answer that a longer send has had. */
function earlierCalls(thread: CoreThread, firstTurn: number | undefined): ToolCall[][] {
  if (firstTurn === undefined) return [];
  const { turns } = thread.timeline({ from: firstTurn });
  return turns.flatMap(({ calls }) => (calls.length > 0 ? [calls] : []));
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
