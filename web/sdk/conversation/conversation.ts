// Why this file exists: a conversation as users hold it: one send at a time, with a thread that can be sent
// again after every step, also after one that failed.
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
import { isOfModel, textContent } from '../base/content.js';
import type { ConversationEvent } from '../types/conversation-event.js';
import { Journal } from './journal.js';
import { SendQueue } from './send-queue.js';
import { LiveThread } from './live-thread.js';
import { conversationOptions, placeOptions, type ConversationOptions } from './options.js';
import type { ConversationPlugin } from '../plugins/plugin.js';
import { PluginChain } from './plugin-chain.js';
import type { SendContext } from './request.js';
import { runRounds } from './rounds.js';
import type { Events } from './event-queue.js';
import { closeStep, openStates, runCalls } from './tool-step.js';
import type { ConversationStore } from '../stores/store.js';

type Input = string | object | Uint8Array;

// How long a send that is left waits for the store, milliseconds.
const storeGraceMs = 1000;

/**
 * A conversation with a model. After any failure (an HTTP error, a cut or blocked answer, an abort) the
 * thread ends in a user Content: the user's text or a complete set of tool results. Nothing of a broken
 * answer is kept; `send('')`, or the same text again, goes on from there.
 *
 * @example
 * const chat = new Conversation(await load(), new GeminiClient({ apiKey }), { model });
 * for await (const event of chat.send('Hello')) if (event.type === 'text') show(event.text);
 */
export class Conversation implements Disposable {
  readonly #strata: Strata;
  readonly #client: GeminiClient;
  readonly #options: ConversationOptions;
  #live: LiveThread;
  #tools: Promise<Toolbox> | undefined;
  #plugins: Promise<ConversationPlugin[]> | undefined;
  readonly #line = new SendQueue();

  constructor(strata: Strata, client: GeminiClient, options: ConversationOptions) {
    must.objectWith('thread')(strata, '/strata');
    must.objectWith('stream')(client, '/client');
    must.checkOptions(options, conversationOptions);
    this.#strata = strata;
    this.#client = client;
    this.#options = options;
    this.#live = LiveThread.begin(strata, options);
  }

  /**
   * Opens the conversation that a store has under this id, or begins it there. Every turn is stored before
   * anything follows from it. After a crash `send('')` goes on: with the request that was not answered, or
   * with the calls that have no stored result yet.
   *
   * @example
   * const kept = { store: new IndexedDbStore('my-app'), id: 'today' };
   * const chat = await Conversation.open(strata, client, { model, ...kept });
   */
  static async open(
    strata: Strata,
    client: GeminiClient,
    options: ConversationOptions & { store: ConversationStore; id: string },
  ): Promise<Conversation> {
    must.object(options, '');
    const { store, id, ...others } = options;
    must.checkOptions({ store, id }, placeOptions);
    const conversation = new Conversation(strata, client, others);
    conversation.#live.free();
    conversation.#live = await LiveThread.load(strata, others, new Journal(store, id));
    return conversation;
  }

  /** The turns so far. Compression puts another thread in its place: ask each time. */
  get thread(): Thread {
    return this.#live.thread;
  }

  /** Whether a user's turn, results or calls wait for an answer, so that `send('')` goes on with them. */
  get unanswered(): boolean {
    const live = this.#live;
    if (live.thread.length === 0) return false;
    return !live.endsInAnswer() || live.openCalls().length > 0;
  }

  /** A tool's whole result, by the name that the event and the prompt give. */
  async readStored(name: string): Promise<Uint8Array | undefined> {
    return this.#live.journal.readStored(name);
  }

  /** Takes back all turns behind the first `length`, in the store too. Throws while a send is read. */
  async rewind(length: number): Promise<void> {
    if (!this.#line.isEmpty) throw busy();
    await this.#live.rewind(length);
  }

  /**
   * Frees the thread, which WebAssembly holds where no garbage collector sees it; a thread that the options
   * gave stays. A send that is read is aborted first. Any later use throws.
   */
  [dispose](): void {
    if (this.#line.isEmpty) this.#live.free();
    else void this.#line.end().then(() => this.#live.free());
  }

  /**
   * Sends a text or a whole user Content, and goes on until the model asks for no more tools. Leaving the
   * loop aborts what is under way. A blank text adds nothing: it resumes a thread that ends in a user's turn
   * or in calls that nobody answered yet.
   *
   * @throws HistoryError for an input or a request that the API would refuse; GeminiError for an answer
   *   that is an error, broke off or was blocked; the signal's reason after an abort; StrataError
   *   `conversation.busy` while another send is read, unless `concurrent` is `queue`.
   */
  send(
    input: Input,
    options: { signal?: AbortSignal | undefined } = {},
  ): AsyncIterableIterator<ConversationEvent> {
    let watch: Watch | undefined;
    const events = this.#inTurn(input, {
      begin: () => (watch = new Watch(options.signal, 0, Error)),
      end: () => {
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

  async *#inTurn(input: Input, { begin, end }: { begin: () => Watch; end: () => void }): Events {
    if (!this.#line.isEmpty && this.#options.concurrent !== 'queue') throw busy();
    const watch = begin();
    const { before, leave } = this.#line.enter(end);
    try {
      if (before) await abortable(before, watch.signal);
      yield* this.#steps(input, watch);
    } finally {
      watch.release();
      leave();
    }
  }

  async *#steps(input: Input, watch: Watch): Events {
    if (watch.signal.aborted) throw watch.signal.reason;
    if (isOfModel(input)) throw unasked();
    const live = this.#live;
    const stages = new Stages(this.#options.onStage);
    live.journal.until(watch.signal);
    let over = false;
    try {
      await live.journal.sync(live.thread);
      const open = live.openCalls();
      // A source of tools may fail: the user's words are in the thread before it is asked.
      if (open.length === 0) yield* this.#accept(input, stages);
      const context = await this.#context(stages, watch.signal);
      const diagnostics = context.tools.takeDiagnostics();
      if (diagnostics.length > 0) yield { type: 'diagnostics', diagnostics };
      yield* runCalls(open, context);
      if (open.length > 0) yield* this.#accept(input, stages);
      yield* runRounds(context);
      over = true;
    } finally {
      live.journal.until(undefined);
      if (!over) await this.#leaveWhole(watch);
    }
  }

  // A send that breaks off leaves no call open. What the store can't take now it gets with the next send.
  async #leaveWhole(watch: Watch): Promise<void> {
    const live = this.#live;
    watch.abort();
    closeStep(openStates(live.openCalls(), live), { live });
    await live.journal.syncWithin(storeGraceMs, live.thread);
  }

  async #context(stages: Stages, signal: AbortSignal): Promise<SendContext> {
    const [strata, client, options, live] = [this.#strata, this.#client, this.#options, this.#live];
    const { model, backend, journal } = live;
    this.#tools ??= Toolbox.discover(options.tools ?? [], signal);
    const tools = await abortable(this.#tools, signal).catch((error: unknown) => {
      // A source that fails now may answer the next send, which brings its own signal.
      this.#tools = undefined;
      throw error;
    });
    // What parts remember, they remember from one send to the next.
    this.#plugins ??= pluginsFor(options);
    this.#plugins.catch(() => (this.#plugins = undefined));
    const plugins = new PluginChain(await this.#plugins, {
      ...{ strata, client, model, backend, signal },
      now: () => live.now(),
      store: (name, bytes) => journal.store(name, bytes),
      readStored: (name) => journal.readStored(name),
    });
    return { strata, client, options, live, tools, plugins, stages, signal };
  }

  // The Content enters the thread first and is sent from there: its bytes are the same in both.
  async *#accept(input: Input, stages: Stages): Events {
    const isText = typeof input === 'string';
    const live = this.#live;
    if (isText && (input.trim() === '' || input === live.unansweredText())) return;
    yield* await stages.run('build_user_message', () =>
      live.enter(isText ? textContent(input) : input),
    );
  }
}

function unasked(): HistoryError {
  const message = 'send takes what the user says: a Content of the model asks for no answer';
  return new HistoryError('trigger.missing', message);
}

function busy(): StrataError {
  return new StrataError('conversation.busy', 'Another send is still being read');
}
