// Connects one request with the signature memory of its caller. A memory that fails never fails the request.
import { HistoryError } from '../sdk/internal/errors.js';
import type { GatewayCore, GatewayRequest } from '../sdk/core/gateway-core.js';
import type { CallerMemory, Restored } from './memory/caller-memory.js';
import type { SignatureMemory } from './memory/signature-memory.js';

// The callers of each memory in the process for whom anything was stored by this program.
const knownCallers = new WeakMap<SignatureMemory, Set<string>>();

// A caller beyond these has its memory looked up in vain.
const maxKnownCallers = 100_000;

/** The memory of one request: it restores what the body lacks, and remembers what the answer brings. */
export class CallMemory {
  readonly #core: GatewayCore;
  readonly #store: SignatureMemory;
  readonly #caller: string;
  readonly #memory: CallerMemory;
  /** Whether the store has failed. */
  hasFailed = false;
  /** The state after the history that the client sent, once it is known. */
  #chain: Promise<string | undefined> | undefined;

  /** `open` returns the memory of the caller, which calls `onFailure` if its store fails. */
  constructor(
    core: GatewayCore,
    store: SignatureMemory,
    caller: string,
    open: (onFailure: () => void) => CallerMemory,
  ) {
    this.#core = core;
    this.#store = store;
    this.#caller = caller;
    this.#memory = open(() => {
      this.hasFailed = true;
    });
  }

  /**
   * Returns the signatures that are known; undefined if none can be known. Then the history's state is computed once
   * the request has left.
   */
  async restore(request: GatewayRequest): Promise<Restored | undefined> {
    if (this.#isEmpty()) return undefined;
    try {
      const restored = await this.#memory.restore(request);
      this.#chain = Promise.resolve(restored.chain);
      return restored;
    } catch (error) {
      // The request is sent on without restored signatures.
      this.#note(error);
      return undefined;
    }
  }

  /** Computes the history's state unless it is known. Call it when the request has left. */
  async learn(request: GatewayRequest): Promise<void> {
    const chain = async () => {
      // Gives the request time to leave.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return this.#memory.chain(request);
    };
    this.#chain ??= chain().catch((error: unknown) => {
      this.#note(error);
      return undefined;
    });
    await this.#chain;
  }

  /** Remembers the signatures of an answer. */
  async remember(content: Uint8Array): Promise<void> {
    try {
      const chain = await this.#chain;
      if (chain === undefined) return;
      this.#markKnown();
      await this.#memory.remember(this.#core, chain, content);
    } catch (error) {
      // The answer leaves without being remembered.
      this.#note(error);
    }
  }

  // A body that is not JSON is no failure of the memory.
  #note(error: unknown): void {
    if (!(error instanceof HistoryError)) this.hasFailed = true;
  }

  #isEmpty(): boolean {
    const [store, caller] = [this.#store, this.#caller];
    const callers = knownCallers.get(store);
    if (!store.inProcess || (callers && callers.size >= maxKnownCallers)) return false;
    return !callers?.has(caller);
  }

  #markKnown(): void {
    const [store, caller] = [this.#store, this.#caller];
    const callers = knownCallers.get(store) ?? new Set();
    knownCallers.set(store, callers);
    if (callers.size < maxKnownCallers) callers.add(caller);
  }
}
