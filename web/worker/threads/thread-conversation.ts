// Opens the conversation of a thread. The threads of an isolate share the instances of the modules.
import {
  load,
  HistoryError,
  Conversation,
  GeminiClient,
  type JsonInput,
  type Strata,
  type CachingOptions,
  type ConversationOptions,
  type Thread,
  type ToolCall,
} from '../../index.js';
import { DurableCacheRegistry } from '../../stores/index.js';
import { loadChecker, type Checker } from '../../check/index.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import { printToolError } from '../../sdk/internal/messages.js';
import { isTrap, sharedInstance } from '../../sdk/internal/shared-instance.js';
import { parseExact } from '../../sdk/internal/json-text.js';
import {
  functionNames,
  storedConfiguration,
  type Configuration,
  type Deployment,
} from '../define-deployment.js';
import { clientOf, modelOf, type Env } from '../env.js';
import type { CallerTool } from '../requests.js';
import type { Visibility } from '../thread-event.js';
import { callerResponse, callerTools, CallIds, type CallTable } from './call-table.js';
import type { ThreadStorage } from './alarms.js';
import { recordsIn, SqlStore } from './sql-store.js';
import type { TextTable } from '../sql.js';
import type { ThreadRecord } from './tables.js';

/** Returns the instance of the core that the threads of an isolate share. */
export const sharedCore = sharedInstance<Strata>(load, (core) => core.modelLimits(''));

const sharedChecker = sharedInstance<Checker>(loadChecker, (checker) => checker.modelLimits(''));

// Memory of WebAssembly is freed by hand, and only while the object is in memory.
const idleMs = 3000;

/** Where the declarations of a caller's tools are. */
export const declarationsName = 'tools';

/** What a conversation is opened with. */
interface ThreadParts {
  readonly env: Env;
  readonly deployment: Deployment;
  readonly storage: ThreadStorage;
  readonly record: ThreadRecord;
  readonly texts: TextTable;
  readonly calls: CallTable;
}

/** A conversation, and the core that it uses. */
export interface OpenConversation {
  readonly strata: Strata;
  readonly conversation: Conversation;
}

/** The conversation of one thread. */
export class ThreadConversation {
  /** The ids of the calls of the send that runs. */
  readonly ids = new CallIds();
  readonly #parts: ThreadParts;
  #open: Promise<OpenConversation> | undefined;
  #names: Set<string> | undefined;
  #users = 0;
  /** The core has trapped. */
  #isBroken = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  /** The configuration of the thread; undefined if the deployment has it no longer. */
  get configuration(): Configuration | undefined {
    const { deployment, record } = this.#parts;
    const { configuration: name } = record.identity;
    const { configurations } = deployment;
    return Object.hasOwn(configurations, name) ? configurations[name] : undefined;
  }

  /**
   * Checks that the deployment still has the configuration.
   *
   * @throws HttpError with the status 409
   */
  checkConfiguration(): void {
    const { deployment, record } = this.#parts;
    storedConfiguration(deployment, record.identity.configuration);
  }

  /** The tools that the caller declared, without those whose names the deployment has given to tools since. */
  get declarations(): CallerTool[] {
    const text = this.#parts.texts.get(declarationsName) ?? '[]';
    const taken = functionNames(this.configuration?.tools);
    return (parseExact(text) as CallerTool[]).filter(({ name }) => !taken.includes(name));
  }

  /** Returns whether a tool is the caller's. */
  isCallers(name: string): boolean {
    return this.#callerNames.has(name);
  }

  get model(): string {
    return this.configuration?.model ?? modelOf(this.#parts.env);
  }

  /** What callers may see of the thread. Without its configuration, results of the deployment's tools are hidden. */
  get visibility(): Visibility {
    const { hideToolResults = false } = this.configuration ?? { hideToolResults: true };
    const isCallers = (name: string) => this.isCallers(name);
    const hides = (name: string) => hideToolResults && !isCallers(name);
    return { env: this.#parts.env, hides, isCallers };
  }

  /**
   * Runs `work` with the conversation, which stays open meanwhile. If the core had trapped, perhaps in another thread,
   * work that only reads runs once more with another one.
   *
   * @throws what `work` throws, and what opening throws
   */
  async use<Result>(
    work: (open: OpenConversation) => Result | Promise<Result>,
    isRepeatable = true,
  ): Promise<Result> {
    this.#users++;
    clearTimeout(this.#timer);
    try {
      return await this.#attempt(work);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.#isBroken = true;
      // While a send uses the conversation, another one would not know what that send stores.
      if (!isRepeatable || this.#users > 1) throw error;
      this.#forget();
      return await this.#attempt(work);
    } finally {
      if (--this.#users === 0) this.#endUse();
    }
  }

  /** Returns the stored lines about the step that has begun; none without open calls. */
  async stepRecords({ thread }: Conversation): Promise<string[]> {
    const isOpen = thread.tail.openCalls.length > 0;
    return isOpen ? new SqlStore(this.#parts.storage).readRecords() : [];
  }

  /**
   * Stores the turns of a new thread, and what is known about a step that has begun.
   *
   * @throws HistoryError for an invalid history
   */
  async import(from: string | object): Promise<void> {
    const strata = await sharedCore();
    const thread = await this.#importable(strata, from);
    try {
      const { conversation } = await this.#openWith(strata, { thread });
      // Writes all turns. The conversation does not own the thread.
      await conversation.rewind(thread.length);
      const records = typeof from === 'string' ? recordsIn(from.trimEnd().split('\n')) : [];
      if (records.length > 0) await new SqlStore(this.#parts.storage).addRecords(records);
    } finally {
      thread[dispose]();
    }
  }

  /** Frees the conversation. Work that uses it fails. */
  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
  }

  // Declarations do not change after the creation of a thread.
  get #callerNames(): Set<string> {
    return (this.#names ??= new Set(this.declarations.map(({ name }) => name)));
  }

  // Reads Contents and saved threads, and converts the history of another client.
  async #importable(strata: Strata, from: string | object): Promise<Thread> {
    const { model } = this;
    const now = new Date().toISOString();
    const open = (history: JsonInput) =>
      strata.thread({ model, now, policy: 'repair', sequencing: 'api', from: history });
    try {
      return open(from);
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
    }
    return open((await sharedChecker()).import(from, { model }).saved);
  }

  #endUse(): void {
    if (this.#isBroken) this.#forget();
    else this.#timer = setTimeout(() => this.#drop(), idleMs);
  }

  // The memory of an instance that has trapped goes with the instance.
  #forget(): void {
    this.#open = undefined;
    this.#isBroken = false;
  }

  async #attempt<Result>(work: (open: OpenConversation) => Result | Promise<Result>) {
    this.#open ??= this.#load();
    return work(await this.#open);
  }

  async #load(): Promise<OpenConversation> {
    try {
      return await this.#openWith(await sharedCore(), {});
    } catch (error) {
      this.#open = undefined;
      throw error;
    }
  }

  async #openWith(strata: Strata, more: { thread?: Thread }): Promise<OpenConversation> {
    const { env, storage, calls } = this.#parts;
    const options = conversationOptions(this.configuration ?? {});
    const tools = [...(options.tools ?? []), ...callerTools(this.declarations, calls, this.ids)];
    const { caching } = options;
    // An error that a caller has posted is the caller's.
    const onToolError = (error: unknown, { name }: ToolCall) => {
      if (!this.isCallers(name)) printToolError(error, { name });
    };
    const conversation = await Conversation.open(strata, clientOrFailing(env), {
      ...{ ...options, ...more, tools, model: this.model },
      ...(caching && { caching: this.#cachingOptions(caching) }),
      ...{ store: new SqlStore(storage), id: 'thread', onToolError },
    });
    conversation.laterResult = (turn, call) => {
      const json = calls.resultAt(turn, call);
      return json === undefined ? undefined : callerResponse(json);
    };
    return { strata, conversation };
  }

  // The cache of a conversation is found again when it is opened again.
  #cachingOptions(caching: true | CachingOptions): CachingOptions {
    const registry = new DurableCacheRegistry(this.#parts.storage);
    const session = this.#parts.record.identity.id;
    return { registry, session, ...(caching === true ? {} : caching) };
  }

  #drop(): void {
    const open = this.#open;
    this.#open = undefined;
    void open?.then(({ conversation }) => conversation[dispose]()).catch(() => {});
  }
}

function conversationOptions({
  callerTools: _,
  hideToolResults: __,
  expiresAfterMs: ___,
  ...options
}: Configuration): Omit<ConversationOptions, 'model'> {
  return options;
}

// Reading and deleting need no key.
function clientOrFailing(env: Env): GeminiClient {
  try {
    return clientOf(env);
  } catch {
    return new GeminiClient({ fetch: () => Promise.reject(new TypeError('no usable key')) });
  }
}
