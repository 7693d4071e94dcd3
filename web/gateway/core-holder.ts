// Holds one instance of the core for all requests, and replaces it after a trap.
import { StrataError } from '../sdk/internal/errors.js';
import type { GatewayCore } from '../sdk/core/gateway-core.js';

const traps: readonly string[] = ['instance.poisoned', 'instance.out_of_memory'];

const isTrap = (error: unknown): boolean =>
  error instanceof StrataError && traps.includes(error.code);

/** The core that the requests share. */
export class CoreHolder {
  readonly #load: () => Promise<GatewayCore>;
  #core: Promise<GatewayCore> | undefined;

  /** `load` creates an instance. */
  constructor(load: () => Promise<GatewayCore>) {
    this.#load = load;
  }

  /**
   * Runs `work` with the core. If the instance has trapped, perhaps in another request, `work` runs once more with a
   * new one.
   */
  async use<Result>(work: (core: GatewayCore) => Result | Promise<Result>): Promise<Result> {
    const core = this.#get();
    try {
      return await work(await core);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.#forget(core);
    }
    const next = this.#get();
    try {
      return await work(await next);
    } catch (error) {
      if (isTrap(error)) this.#forget(next);
      throw error;
    }
  }

  #get(): Promise<GatewayCore> {
    if (this.#core) return this.#core;
    const core = this.#load();
    this.#core = core;
    // A failure is not kept.
    core.catch(() => this.#forget(core));
    return core;
  }

  #forget(core: Promise<GatewayCore>): void {
    if (this.#core === core) this.#core = undefined;
  }
}
