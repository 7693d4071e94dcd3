// Implements Conversation: it runs one send at a time, and after every step, including a failed one, its thread
// can be sent again.
import { abortable, Watch } from '../base/abort.js';
import type { GeminiClient } from '../client/client.js';
import { HistoryError, StrataError } from '../base/errors.js';
import { dispose } from '../base/dispose.js';
import * as must from '../base/options.js';
import { Stages } from '../prompt/stages.js';
import { Toolbox } from '../tools/toolbox.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import { pluginsFor } from './builtin-plugins.js';
import { isModelContent, textContent } from '../base/content.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { Journal } from './journal.js';
import { SendQueue } from './send-queue.js';
import { ConversationThread } from './conversation-thread.js';
import {
  conversationOptions,
  openOptions,
  storeField,
  type ConversationOptions,
} from './options.js';
import type { ConversationPlugin } from '../plugins/plugin.js';
import { PluginChain } from './plugin-chain.js';
import { PrefixMeter } from './prefix-meter.js';
import { RequestFields } from '../plugins/request-fields.js';
import type { PrefixTotals } from '../types/prefix-use.js';
import type { SendContext } from './send-request.js';
import { runRounds } from './tool-rounds.js';
import type { Events } from './event-queue.js';
import { closeStep, openStates, runCalls } from './tool-step.js';
import type { ConversationStore } from '../stores/store.js';

type Input = string | object | Uint8Array;

// How long an aborted send waits for the store, in milliseconds.
const storeGraceMs = 1000;

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
  readonly #strata: Strata;
  readonly #client: GeminiClient;
  readonly #options: ConversationOptions;
  #live: ConversationThread;
  #tools: Promise<Toolbox> | undefined;
  #plugins: Promise<ConversationPlugin[]> | undefined;
  readonly #queue = new SendQueue();
  readonly #fields: RequestFields;
  readonly #meter = new PrefixMeter();

  constructor(strata: Strata, client: GeminiClient, options: ConversationOptions) {
    must.objectWith('thread')(strata, '/strata');
    must.objectWith('stream')(client, '/client');
    must.checkOptions(options, conversationOptions);
    this.#strata = strata;
    this.#client = client;
    this.#options = options;
    this.#live = ConversationThread.create(strata, options);
    const { baseUrl } = client;
    this.#fields = new RequestFields({ ...options, store: storeField(options), baseUrl });
  }

  /**
   * Opens the conversation that a store has under this id, or creates it. Every turn is stored before the
   * next step begins. After a crash `send('')` resumes: it repeats the request that was not answered, or
   * runs the calls that have no stored result.
   *
   * @example
   * const place = { store: new IndexedDbStore('my-app'), id: 'today' };
   * const chat = await Conversation.open(strata, client, { model, ...place });
   */
  static async open(
    strata: Strata,
    client: GeminiClient,
    options: ConversationOptions & { store: ConversationStore; id: string },
  ): Promise<Conversation> {
    must.object(options, '');
    const { store, id, ...others } = options;
    must.checkOptions({ store, id }, openOptions);
    const conversation = new Conversation(strata, client, others);
    conversation.#live.free();
    conversation.#live = await ConversationThread.load(strata, others, new Journal(store, id));
    return conversation;
  }

  /** The thread with all turns. Compression replaces it, so do not hold on to the reference. */
  get thread(): Thread {
    return this.#live.thread;
  }

  /** Whether a user turn, tool results or calls are unanswered, so that `send('')` resumes them. */
  get unanswered(): boolean {
    const live = this.#live;
    if (live.thread.length === 0) return false;
    return !live.endsInAnswer() || live.openCalls().length > 0;
  }

  /**
   * How much of the prompts could be read from a cache, and how much was, since this object was created:
   * docs/implicit-caching.md.
   */
  get prefixUse(): PrefixTotals {
    return this.#meter.totals;
  }

  /** Returns a stored tool result by its name (`storedAs` of an event, also named in the prompt). */
  async readStored(name: string): Promise<Uint8Array | undefined> {
    return this.#live.journal.readStored(name);
  }

  /** Removes all turns after the first `length`, in the store as well. Throws while a send is running. */
  async rewind(length: number): Promise<void> {
    if (!this.#queue.isEmpty) throw busyError();
    await this.#live.rewind(length);
  }

  /**
   * Frees the thread's WebAssembly memory, which no garbage collector reclaims; a thread passed in the options
   * is not freed. Aborts running sends first. Any later use throws.
   */
  [dispose](): void {
    if (this.#queue.isEmpty) this.#live.free();
    else void this.#queue.cancelAll().then(() => this.#live.free());
  }

  /**
   * Sends a text or a complete user Content and runs until the model calls no more tools. Work advances only
   * as you iterate; leaving the loop aborts the send. A blank text adds nothing: it resumes a thread that
   * ends in a user turn or in unanswered calls.
   *
   * @throws HistoryError for an input or a request that the API would refuse; GeminiError for an answer
   *   that is an error, incomplete or blocked; the signal's reason after an abort; StrataError
   *   `conversation.busy` while another send is running, unless `concurrent` is `queue`.
   */
  send(
    input: Input,
    options: { signal?: AbortSignal | undefined } = {},
  ): AsyncIterableIterator<ConversationEvent> {
    let watch: Watch | undefined;
    const events = this.#enqueue(input, {
      start: () => (watch = new Watch(options.signal, 0, Error)),
      cancel: () => {
        watch?.abort();
        events.return().catch(() => {});
      },
    });
    return {
      next: () => events.next(),
      return: () => {
        watch?.abort();
        return events.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *#enqueue(
    input: Input,
    { start, cancel }: { start: () => Watch; cancel: () => void },
  ): Events {
    if (!this.#queue.isEmpty && this.#options.concurrent !== 'queue') throw busyError();
    const watch = start();
    const { ready, leave } = this.#queue.enter(cancel);
    try {
      if (ready) await abortable(ready, watch.signal);
      yield* this.#run(input, watch);
    } finally {
      watch.release();
      leave();
    }
  }

  async *#run(input: Input, watch: Watch): Events {
    if (watch.signal.aborted) throw watch.signal.reason;
    if (isModelContent(input)) throw modelContentError();
    const live = this.#live;
    const stages = new Stages(this.#options.onStage);
    live.journal.setSignal(watch.signal);
    let completed = false;
    try {
      await live.journal.sync(live.thread);
      const open = live.openCalls();
      // Append the user's message before tool sources are queried, because they may fail.
      if (open.length === 0) yield* this.#accept(input, stages);
      const context = await this.#context(stages, watch.signal);
      const diagnostics = context.tools.takeDiagnostics();
      if (diagnostics.length > 0) yield { type: 'diagnostics', diagnostics };
      yield* runCalls(open, context);
      if (open.length > 0) yield* this.#accept(input, stages);
      yield* runRounds(context);
      completed = true;
    } finally {
      live.journal.setSignal(undefined);
      if (!completed) await this.#closeOpenCalls(watch);
    }
  }

  // Answers the open calls of a send that ends early. Turns that the store misses are written by the next send.
  async #closeOpenCalls(watch: Watch): Promise<void> {
    const live = this.#live;
    watch.abort();
    closeStep(openStates(live.openCalls(), live), { live });
    await live.journal.syncWithin(storeGraceMs, live.thread);
  }

  async #context(stages: Stages, signal: AbortSignal): Promise<SendContext> {
    const [strata, client, options, live] = [this.#strata, this.#client, this.#options, this.#live];
    const { model, backend, journal } = live;
    const [fields, meter] = [this.#fields, this.#meter];
    this.#tools ??= Toolbox.discover(options.tools ?? [], signal);
    const tools = await abortable(this.#tools, signal).catch((error: unknown) => {
      // A source that fails now may succeed for the next send, which has its own signal.
      this.#tools = undefined;
      throw error;
    });
    // Plugins keep their state between sends.
    this.#plugins ??= pluginsFor(options);
    this.#plugins.catch(() => (this.#plugins = undefined));
    const plugins = new PluginChain(await this.#plugins, {
      ...{ strata, client, model, backend, signal, requestFields: fields },
      now: () => live.now(),
      store: (name, bytes) => journal.store(name, bytes),
      readStored: (name) => journal.readStored(name),
    });
    return { strata, client, options, live, tools, plugins, stages, fields, meter, signal };
  }

  // The Content is appended first and sent from the thread, so that the stored and the sent bytes are equal.
  async *#accept(input: Input, stages: Stages): Events {
    const isText = typeof input === 'string';
    const live = this.#live;
    if (isText && (input.trim() === '' || input === live.unansweredText())) return;
    yield* await stages.run('build_user_message', () =>
      live.commit(isText ? textContent(input) : input),
    );
  }
}

function modelContentError(): HistoryError {
  const message = "send takes a user Content, not a Content with role 'model'";
  return new HistoryError('trigger.missing', message);
}

function busyError(): StrataError {
  return new StrataError('conversation.busy', 'Another send is still running');
}
