// Why this file exists: all parts of a conversation as one, each hook a step that the loop names.
import type { Usage } from '../types/response.js';
import { abortable } from '../base/abort.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Manifest } from '../types/manifest.js';
import type { Thread } from '../types/thread.js';
import type { ConversationPart, PartContext } from '../plugins/plugin.js';
import { Told, type Events } from './event-queue.js';

/** The parts and the context of one send. */
export class Parts {
  readonly #parts: ConversationPart[];
  readonly #context: PartContext;
  readonly #told = new Told();

  constructor(parts: ConversationPart[], context: Omit<PartContext, 'tell'>) {
    this.#parts = parts;
    this.#context = { ...context, tell: this.#told.tell };
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
  during<Result>(work: (tell: PartContext['tell']) => Promise<Result>): Events<Result> {
    return this.#told.during(work(this.#context.tell));
  }

  async *#each(hook: (part: ConversationPart) => void | Promise<void>): Events {
    for (const part of this.#parts) yield* this.#wait(async () => hook(part));
  }

  async *#fold<Value>(
    start: Value,
    hook: (part: ConversationPart, value: Value) => Value | Promise<Value> | undefined,
  ): Events<Value> {
    let value = start;
    for (const part of this.#parts) {
      const next = yield* this.#wait(async () => hook(part, value));
      if (next !== undefined) value = next;
    }
    return value;
  }

  #wait<Result>(hook: () => Promise<Result>): Events<Result> {
    return this.#told.during(abortable(hook(), this.#context.signal));
  }
}
