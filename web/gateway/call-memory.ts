// Remembers the signatures of a call's answer, and puts back those that its history lost.
import type { ModelLimits, ServiceOptions, Backend } from '../sdk/types/model.js';
import { HistoryError } from '../sdk/internal/errors.js';
import type { GatewayCore, GatewayRequest } from '../check/gateway-core.js';
import { CallerMemory, type Restored } from './memory/caller-memory.js';
import type { SignatureMemory } from './memory/signature-memory.js';
import type { Caller } from './callers.js';
import { createMemorySecrets, type MemorySecrets } from './memory/secrets.js';

/** What knows which model serves a name. */
interface ModelNames {
  modelLimits(model: string, options?: ServiceOptions): ModelLimits;
}

// The generations of src/catalogue/models.json, as src/lint/signature.cpp compares them: 3.8 differs from 3.6 in its
// config rules only, and gemini-3.5-flash-lite belongs to 3.6.
const families: readonly (readonly [RegExp, string])[] = [
  [/^gemini-(1\.|2\.0)/, 'gemini-2'],
  [/^gemini-2/, 'gemini-2.5'],
  [/^gemini-3(\.1)?-/, 'gemini-3'],
  [/^gemini-3\.5-flash(?!-lite)/, 'gemini-3'],
  [/^gemini-3\./, 'gemini-3.6'],
  [/^gemini-4/, 'gemini-4'],
];

// A tuned model and an endpoint have names that say nothing about the model behind them.
const ownName = /(^|\/)(tunedModels|endpoints)\//;

/**
 * Returns the family of a model, which accepts the signatures of its own models. A name may have `models/` or a path of
 * Vertex AI before it. A model that is not one of Gemini's, a tuned one and an endpoint are families of their own.
 */
export function modelFamily(model: string): string {
  if (ownName.test(model)) return model;
  const name = model.slice(model.lastIndexOf('/') + 1);
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}

/** Returns the family of the model that serves a name: an alias, or a name that Google routes to another model. */
export function servingFamily(
  core: ModelNames,
  model: string,
  service: Required<Pick<ServiceOptions, 'backend' | 'now'>>,
): string {
  if (ownName.test(model)) return model;
  return modelFamily(core.modelLimits(model, service).servedBy);
}

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

// Names of models whose family is known.
const rememberedNames = 1_000;

/** The signature memories of all callers. */
export class CallerMemories {
  readonly #store: SignatureMemory;
  readonly #secrets: MemorySecrets;
  readonly #families = new Map<string, string>();

  /** @throws StrataError `memory.secret_missing` for a store that outlives the process, without a secret */
  constructor(store: SignatureMemory, secret: string | undefined) {
    this.#store = store;
    this.#secrets = createMemorySecrets(secret, store);
  }

  /** Returns the memory of one request; undefined if signatures of its caller are not remembered. */
  of(core: GatewayCore, caller: Caller, service: Backend, model: string): CallMemory | undefined {
    if (!caller.memory) return undefined;
    const [store, secrets] = [this.#store, this.#secrets];
    const family = this.#familyOf(core, model, service);
    return new CallMemory(core, store, caller.id, (onFailure) => {
      return new CallerMemory({ store, secrets, caller: caller.id, service, family, onFailure });
    });
  }

  // Aliases and retired models change at the end of a day.
  #familyOf(core: GatewayCore, model: string, backend: Backend): string {
    const now = new Date().toISOString();
    const name = JSON.stringify([now.slice(0, 10), backend, model]);
    const family = this.#families.get(name) ?? servingFamily(core, model, { backend, now });
    if (this.#families.size >= rememberedNames) this.#families.clear();
    this.#families.set(name, family);
    return family;
  }
}
