// Remembers the signatures of upstream answers for one caller, and restores them in its requests.
import type {
  GatewayCore,
  GatewayRequest,
  SignatureEdit,
  SignatureSecrets,
} from '../../check/gateway-core.js';
import { Watch } from '../../sdk/internal/lifetime.js';
import { RecordStore, recordsOf } from './record-store.js';
import type { CallerSecrets, MemorySecrets, Scope } from './secrets.js';
import { findEdits } from './signature-edits.js';
import type { SignatureMemory } from './signature-memory.js';

/** Seven days: a tool call that waits over a weekend for a person's approval still has its signature. */
export const defaultLifetimeMs = 7 * 24 * 60 * 60 * 1000;

// Requests and the last bytes of answers wait for the store: one that hangs must not hold them.
const defaultStoreTimeoutMs = 5_000;

const tooSlow = () => new Error('The signature memory did not answer in time');

/** What the memory of one request works with. */
interface CallerMemoryOptions extends Scope {
  store: SignatureMemory;
  secrets: MemorySecrets;
  /** How long a signature is remembered. Default: seven days. */
  lifetimeMs?: number;
  /** Milliseconds that a request waits for the store. Default: 5000. */
  storeTimeoutMs?: number;
  /** The clock, in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** Is called with the error of a store that fails. Nothing is then restored, or remembered. */
  onFailure?: (error: unknown) => void;
}

/** The signatures that a request lacks. */
export interface Restored {
  edits: SignatureEdit[];
  /** The number of signatures that were restored. */
  restored: number;
  /** The number of signatures that were removed, because the model gave them for something else. */
  removed: number;
  /** The state of the history, which `remember` needs. */
  chain: string;
}

/** What belongs to the caller and to the requests that accept each other's signatures. */
interface Keys {
  caller: CallerSecrets;
  secrets: SignatureSecrets;
}

/** The signatures that one caller's models gave, for requests to one service and one family of models. */
export class CallerMemory {
  readonly #options: CallerMemoryOptions;
  readonly #scope: string;
  readonly #now: () => number;

  constructor(options: CallerMemoryOptions) {
    this.#options = options;
    this.#scope = `${options.service}/${options.family}`;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Finds the signatures that the client dropped, and those to remove, because the model gave them for something else:
   * for another part, service or family of models. A signature that is not remembered stays.
   */
  async restore(request: GatewayRequest): Promise<Restored> {
    const { caller, secrets } = await this.#keys();
    const { keys, chain } = request.lookup(secrets);
    const { family } = this.#options;
    const search = { scope: this.#scope, family, records: this.#records(caller) };
    const edits = await this.#tried<SignatureEdit[]>([], () => findEdits(request, keys, search));
    const restored = edits.filter(({ signature }) => signature !== undefined).length;
    return { edits, restored, removed: edits.length - restored, chain };
  }

  /** Returns the state of the history, for a request of which nothing is restored. */
  async chain(request: GatewayRequest): Promise<string> {
    return request.chain((await this.#keys()).secrets);
  }

  /**
   * Remembers the signatures of an answer, and returns how many. `chain` is that of the request. Resolves when the next
   * request finds them.
   */
  async remember(
    core: Pick<GatewayCore, 'answerSignatures'>,
    chain: string,
    content: Uint8Array,
  ): Promise<number> {
    const { caller, secrets } = await this.#keys();
    const signatures = core.answerSignatures(content, chain, secrets);
    if (signatures.length === 0) return 0;
    const { lifetimeMs = defaultLifetimeMs } = this.#options;
    const records = recordsOf(signatures, this.#scope, this.#now() + lifetimeMs);
    return this.#tried(0, async () => {
      await this.#records(caller).put(records);
      return signatures.length;
    });
  }

  async #keys(): Promise<Keys> {
    const { secrets } = this.#options;
    const [caller, scope] = await Promise.all([
      secrets.ofCaller(this.#options.caller),
      secrets.ofScope(this.#options),
    ]);
    return { caller, secrets: { scope, caller: caller.secret } };
  }

  #records(caller: CallerSecrets): RecordStore {
    return new RecordStore(this.#options.store, caller, this.#now);
  }

  // A store that fails or hangs must not fail the request.
  async #tried<Result>(otherwise: Result, work: () => Promise<Result>): Promise<Result> {
    const { storeTimeoutMs = defaultStoreTimeoutMs } = this.#options;
    const watch = new Watch(undefined, storeTimeoutMs, tooSlow);
    try {
      return await watch.waitLast(work());
    } catch (error) {
      this.#options.onFailure?.(error);
      return otherwise;
    }
  }
}
