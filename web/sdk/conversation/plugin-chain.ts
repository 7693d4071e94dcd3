// Why this file exists: all parts of a conversation as one, each hook a step that the loop names.
import type { Usage } from '../types/response.js';
import { abortable } from '../base/abort.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import type { ConversationPlugin, PluginContext } from '../plugins/plugin.js';
import { EventQueue, type Events } from './event-queue.js';

/** The parts and the context of one send. */
export class PluginChain {
  readonly #plugins: ConversationPlugin[];
  readonly #context: PluginContext;
  readonly #told = new EventQueue();

  constructor(parts: ConversationPlugin[], context: Omit<PluginContext, 'emit'>) {
    this.#plugins = parts;
    this.#context = { ...context, emit: this.#told.emit };
  }

  /** The thread that the next request is made of. */
  beforeTurn(thread: Thread): Events<Thread> {
    return this.#fold(thread, (part, current) => part.beforeTurn?.(current, this.#context));
  }

  /** The input of the next `assemble`. */
  beforeRequest(thread: Thread, input: AssembleInput): Events<AssembleInput> {
    return this.#fold(input, (part, current) =>
      part.beforeRequest?.(thread, current, this.#context),
    );
  }

  async *beforeSend(assembled: Assembled): Events {
    yield* this.#each((part) => part.beforeSend?.(assembled, this.#context));
  }

  async *afterAnswer(usage: Usage, manifest: Manifest): Events {
    yield* this.#each((part) => part.afterAnswer?.(usage, manifest, this.#context));
  }

  async *onCacheLost(name: string): Events {
    yield* this.#each((part) => part.onCacheLost?.(name, this.#context));
  }

  /** Waits for other work of the same send that tells events. */
  during<Result>(work: (tell: PluginContext['emit']) => Promise<Result>): Events<Result> {
    return this.#told.during(work(this.#context.emit));
  }

  async *#each(hook: (part: ConversationPlugin) => void | Promise<void>): Events {
    for (const part of this.#plugins) yield* this.#wait(async () => hook(part));
  }

  async *#fold<Value>(
    start: Value,
    hook: (part: ConversationPlugin, value: Value) => Value | Promise<Value> | undefined,
  ): Events<Value> {
    let value = start;
    for (const part of this.#plugins) {
      const next = yield* this.#wait(async () => hook(part, value));
      if (next !== undefined) value = next;
    }
    return value;
  }

  #wait<Result>(hook: () => Promise<Result>): Events<Result> {
    return this.#told.during(abortable(hook(), this.#context.signal));
  }
}
