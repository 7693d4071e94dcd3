// Runs each hook of all plugins in order.
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';
import { abortable, type Watch } from '../internal/abort.js';
import { dispose } from '../internal/dispose.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Removal } from '../types/compaction.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import type { ConversationPlugin, PluginContext } from './plugin.js';
import type { EventChannel } from './event-channel.js';

const isThenable = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof Object(value).then === 'function';

// Frees a thread that a hook has returned, unless it is the conversation's.
function freeUnless(own: Thread, thread: Thread | undefined): void {
  if (thread !== own) thread?.[dispose]();
}

/** The plugins and the context of one send. */
export class PluginChain {
  readonly #plugins: readonly ConversationPlugin[];
  readonly #context: PluginContext;
  readonly #events: EventChannel;
  readonly #watch: Watch;
  /** What the plugins have removed since the last request began. */
  #removals: Removal[] = [];

  constructor(
    plugins: readonly ConversationPlugin[],
    context: Omit<PluginContext, 'recordRemoval'>,
    events: EventChannel,
    watch: Watch,
  ) {
    this.#plugins = plugins;
    const recordRemoval = (removal: Removal) => void this.#removals.push(removal);
    // A copy would have the signal, which most hooks do not need.
    this.#context = Object.assign(context, { recordRemoval });
    this.#events = events;
    this.#watch = watch;
  }

  /** Returns whether a plugin has this hook: without one, nothing is to be waited for. */
  has(hook: Exclude<keyof ConversationPlugin, 'name'>): boolean {
    return this.#plugins.some((plugin) => plugin[hook] !== undefined);
  }

  /** Returns the thread for the next request, and what it no longer has. */
  async beforeTurn(thread: Thread): Promise<{ thread: Thread; removals: readonly Removal[] }> {
    let current = thread;
    this.#removals = [];
    try {
      for (const plugin of this.#plugins) {
        if (!plugin.beforeTurn) continue;
        const next = await this.#replacement(plugin.beforeTurn(current, this.#context), thread);
        if (next === undefined || next === current) continue;
        freeUnless(thread, current);
        current = next;
      }
      return { thread: current, removals: this.#removals };
    } catch (error) {
      freeUnless(thread, current);
      throw error;
    }
  }

  /** Returns the input of the next `assemble`. */
  async beforeRequest(thread: Thread, input: AssembleInput): Promise<AssembleInput> {
    let current = input;
    for (const plugin of this.#plugins) {
      if (!plugin.beforeRequest) continue;
      current = (await this.#wait(plugin.beforeRequest(thread, current, this.#context))) ?? current;
    }
    return current;
  }

  async beforeSend(assembled: Assembled): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.beforeSend) await this.#wait(plugin.beforeSend(assembled, this.#context));
    }
  }

  async afterAnswer(usage: UsageMetadata, manifest: Manifest): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.afterAnswer) await this.#wait(plugin.afterAnswer(usage, manifest, this.#context));
    }
  }

  async onCacheLost(name: string): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.onCacheLost) await this.#wait(plugin.onCacheLost(name, this.#context));
    }
  }

  // Nobody gets the thread of a hook that was aborted, also if it is there later.
  async #replacement(hook: Thread | Promise<Thread>, thread: Thread): Promise<Thread | undefined> {
    try {
      return await this.#wait(hook);
    } catch (error) {
      const free = (late: Thread | undefined) => freeUnless(thread, late);
      void Promise.resolve(hook).then(free, () => {});
      throw error;
    }
  }

  // Waits for a hook, and until the reader has taken the events that it emitted.
  #wait<Result>(hook: Result | Promise<Result>): Result | Promise<Result> {
    if (isThenable(hook)) return this.#settled(hook);
    if (this.#watch.aborted) throw this.#watch.reason;
    return this.#events.flush()?.then(() => hook) ?? hook;
  }

  async #settled<Result>(hook: Promise<Result>): Promise<Result> {
    const result = await abortable(hook, this.#watch.signal);
    if (this.#watch.aborted) throw this.#watch.reason;
    await this.#events.flush();
    return result;
  }
}
