// Runs each hook of all plugins in order.
import type { Usage } from '../types/response.js';
import { abortable } from '../base/abort.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import type { ConversationPlugin, PluginContext } from '../plugins/plugin.js';
import type { EventChannel } from './event-channel.js';

type Hook = (plugin: ConversationPlugin) => unknown;

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof Object(value).then === 'function';

/** The plugins and the context of one send. */
export class PluginChain {
  readonly #plugins: readonly ConversationPlugin[];
  readonly #context: PluginContext;
  readonly #events: EventChannel;

  constructor(
    plugins: readonly ConversationPlugin[],
    context: Omit<PluginContext, 'emit'>,
    events: EventChannel,
  ) {
    this.#plugins = plugins;
    this.#context = { ...context, emit: events.emit };
    this.#events = events;
  }

  /** Returns the thread for the next request. */
  async beforeTurn(thread: Thread): Promise<Thread> {
    let current = thread;
    await this.#each(async (plugin) => {
      current = (await plugin.beforeTurn?.(current, this.#context)) ?? current;
    }, 'beforeTurn');
    return current;
  }

  /** Returns the input of the next `assemble`. */
  async beforeRequest(thread: Thread, input: AssembleInput): Promise<AssembleInput> {
    let current = input;
    await this.#each(async (plugin) => {
      current = (await plugin.beforeRequest?.(thread, current, this.#context)) ?? current;
    }, 'beforeRequest');
    return current;
  }

  beforeSend(assembled: Assembled): Promise<void> {
    return this.#each((plugin) => plugin.beforeSend?.(assembled, this.#context), 'beforeSend');
  }

  afterAnswer(usage: Usage, manifest: Manifest): Promise<void> {
    const hook: Hook = (plugin) => plugin.afterAnswer?.(usage, manifest, this.#context);
    return this.#each(hook, 'afterAnswer');
  }

  onCacheLost(name: string): Promise<void> {
    return this.#each((plugin) => plugin.onCacheLost?.(name, this.#context), 'onCacheLost');
  }

  async #each(hook: Hook, name: keyof ConversationPlugin): Promise<void> {
    const { signal } = this.#context;
    for (const plugin of this.#plugins) {
      if (!plugin[name]) continue;
      const result: unknown = hook(plugin);
      if (isThenable(result)) await abortable(result, signal);
      else if (signal.aborted) throw signal.reason;
      await this.#events.flush();
    }
  }
}
