// Runs each hook of all plugins in order and delivers the events that they emit meanwhile.
import type { Usage } from '../types/response.js';
import { abortable } from '../base/abort.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import type { ConversationPlugin, PluginContext } from '../plugins/plugin.js';
import { EventQueue, type Events } from './event-queue.js';

/** The plugins and the context of one send. */
export class PluginChain {
  readonly #plugins: ConversationPlugin[];
  readonly #context: PluginContext;
  readonly #events = new EventQueue();

  constructor(plugins: ConversationPlugin[], context: Omit<PluginContext, 'emit'>) {
    this.#plugins = plugins;
    this.#context = { ...context, emit: this.#events.emit };
  }

  /** Returns the thread for the next request. */
  beforeTurn(thread: Thread): Events<Thread> {
    return this.#fold(thread, (plugin, current) => plugin.beforeTurn?.(current, this.#context));
  }

  /** Returns the input of the next `assemble`. */
  beforeRequest(thread: Thread, input: AssembleInput): Events<AssembleInput> {
    return this.#fold(input, (plugin, current) =>
      plugin.beforeRequest?.(thread, current, this.#context),
    );
  }

  async *beforeSend(assembled: Assembled): Events {
    yield* this.#each((plugin) => plugin.beforeSend?.(assembled, this.#context));
  }

  async *afterAnswer(usage: Usage, manifest: Manifest): Events {
    yield* this.#each((plugin) => plugin.afterAnswer?.(usage, manifest, this.#context));
  }

  async *onCacheLost(name: string): Events {
    yield* this.#each((plugin) => plugin.onCacheLost?.(name, this.#context));
  }

  /** Runs other work of the same send, which may emit events. */
  during<Result>(work: (emit: PluginContext['emit']) => Promise<Result>): Events<Result> {
    return this.#events.during(work(this.#context.emit));
  }

  async *#each(hook: (plugin: ConversationPlugin) => void | Promise<void>): Events {
    for (const plugin of this.#plugins) yield* this.#wait(async () => hook(plugin));
  }

  async *#fold<Value>(
    start: Value,
    hook: (plugin: ConversationPlugin, value: Value) => Value | Promise<Value> | undefined,
  ): Events<Value> {
    let value = start;
    for (const plugin of this.#plugins) {
      const next = yield* this.#wait(async () => hook(plugin, value));
      if (next !== undefined) value = next;
    }
    return value;
  }

  #wait<Result>(hook: () => Promise<Result>): Events<Result> {
    return this.#events.during(abortable(hook(), this.#context.signal));
  }
}
