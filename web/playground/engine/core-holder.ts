// Loads the core on the page's main thread when it is first needed.
import type { Checker } from '../../check/index.js';
import type { Strata } from '../../index.js';

export class CoreHolder {
  #shared: Promise<Strata> | undefined;
  #checker: Promise<Checker> | undefined;
  readonly #onLoad: (version: string) => void;
  readonly #onFailure: (error: unknown) => void;

  constructor(onLoad: (version: string) => void, onFailure: (error: unknown) => void) {
    this.#onLoad = onLoad;
    this.#onFailure = onFailure;
  }

  /** Returns the core that views share. After a failure, the next call loads it again. */
  shared(): Promise<Strata> {
    this.#shared ??= this.open();
    this.#shared.catch(() => (this.#shared = undefined));
    return this.#shared;
  }

  /** Returns what judges and repairs requests, which all views share. After a failure, the next call loads it again. */
  checker(): Promise<Checker> {
    this.#checker ??= import('./load-checker.js').then(({ loadChecker }) => loadChecker());
    this.#checker.catch(() => (this.#checker = undefined));
    return this.#checker;
  }

  /** Forgets shared cores that have trapped, so that the next call loads new ones. */
  discard(): void {
    this.#shared = undefined;
    this.#checker = undefined;
  }

  /** Loads a core of its own, so that a trap in it affects nothing else. */
  async open(): Promise<Strata> {
    try {
      const { load } = await import('./load-core.js');
      const strata = await load();
      this.#onLoad(strata.version);
      return strata;
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
  }
}
