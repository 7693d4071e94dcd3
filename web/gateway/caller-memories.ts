// Opens the signature memory for one request: of its caller, its service and its family of models.
import type { GatewayCore } from '../sdk/core/gateway-core.js';
import type { Backend } from '../sdk/types/model.js';
import { CallMemory } from './call-memory.js';
import type { Caller } from './callers.js';
import { CallerMemory } from './memory/caller-memory.js';
import { servingFamily } from './memory/model-family.js';
import { createMemorySecrets, type MemorySecrets } from './memory/secrets.js';
import type { SignatureMemory } from './memory/signature-memory.js';

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
