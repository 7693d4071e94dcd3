// Runs each hook of all plugins in order.
import type { UsageMetadata } from '../types/gemini/response.js';
import { abortable, dispose, type Watch } from '../internal/lifetime.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Removal } from '../types/compaction.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { ToolCall } from '../types/tool.js';
import type {
  CallRefusal,
  CallResult,
  ConversationPlugin,
  LastAnswer,
  PluginContext,
} from './plugin.js';
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
  has(hook: keyof ConversationPlugin): boolean {
    return this.#with(hook).length > 0;
  }

  #with(hook: keyof ConversationPlugin): ConversationPlugin[] {
    return this.#plugins.filter((plugin) => plugin[hook] !== undefined);
  }

  async onStart(earlier: readonly ToolCall[][]): Promise<void> {
    for (const plugin of this.#with('onStart'))
      await this.#wait(plugin.onStart?.(earlier, this.#context));
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
    for (const plugin of this.#with('beforeRequest'))
      current =
        (await this.#wait(plugin.beforeRequest?.(thread, current, this.#context))) ?? current;
    return current;
  }

  async beforeSend(assembled: Assembled): Promise<void> {
    for (const plugin of this.#with('beforeSend'))
      await this.#wait(plugin.beforeSend?.(assembled, this.#context));
  }

  /** Returns what is emitted for the events of one read. Runs for each chunk of each answer. */
  onEvents(events: readonly ConversationEvent[]): readonly ConversationEvent[] {
    let current = events;
    for (const plugin of this.#plugins)
      if (plugin.onEvents) current = plugin.onEvents(current, this.#context) ?? current;
    return current;
  }

  onUsage(event: UsageEvent, manifest: Manifest): UsageEvent {
    const add = (current: UsageEvent, plugin: ConversationPlugin) =>
      plugin.onUsage?.(current, manifest, this.#context) ?? current;
    return this.#plugins.reduce(add, event);
  }

  async afterAnswer(usage: UsageMetadata, manifest: Manifest): Promise<void> {
    for (const plugin of this.#with('afterAnswer'))
      await this.#wait(plugin.afterAnswer?.(usage, manifest, this.#context));
  }

  /** Returns why the calls do not run, if a plugin refuses them. */
  async beforeCalls(calls: readonly ToolCall[]): Promise<CallRefusal | undefined> {
    for (const plugin of this.#with('beforeCalls')) {
      const refusal = await this.#wait(plugin.beforeCalls?.(calls, this.#context));
      if (refusal) return refusal;
    }
    return undefined;
  }

  /** Returns the result of a call. After an abort, it is the one that is there. */
  async afterCall(thread: Thread, result: CallResult, call: ToolCall): Promise<CallResult> {
    let current = result;
    for (const plugin of this.#plugins) {
      if (!plugin.afterCall || this.#watch.aborted) continue;
      const next = plugin.afterCall(thread, current, call, this.#context);
      // Other calls run, so the events are not waited for.
      const orCurrent = (error: unknown) => {
        if (this.#watch.aborted) return current;
        throw error;
      };
      current = isThenable(next) ? await this.#watch.wait(next).catch(orCurrent) : next;
    }
    return current;
  }

  /** Returns the text that is sent after the last answer, if any. */
  async nextMessage(thread: Thread, answer: LastAnswer): Promise<string | undefined> {
    for (const plugin of this.#with('nextMessage')) {
      const next = await this.#wait(plugin.nextMessage?.(thread, answer, this.#context));
      if (next !== undefined) return next ?? undefined;
    }
    return undefined;
  }

  async onCacheLost(name: string): Promise<void> {
    for (const plugin of this.#with('onCacheLost'))
      await this.#wait(plugin.onCacheLost?.(name, this.#context));
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
