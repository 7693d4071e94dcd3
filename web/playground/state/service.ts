// Says which service answers: the emulator in this page, or Google with the user's key.
import { withTabStorage } from './tab-storage.js';

/** The service that answers: the API, the emulator, or none if the key is invalid. */
export type ServiceKind = 'emulator' | 'api' | 'none';

/** The name of each service, for use in a sentence. */
export const serviceNames: Record<ServiceKind, string> = {
  emulator: 'the emulator',
  api: 'the Gemini API',
  none: 'no service',
};

const storedKey = 'prompt-strata key';

/**
 * The user's key and the service that it selects. The key is kept in memory and, only if the user asks for it, in the
 * session storage of this tab. It is never in the document, a link or a log.
 */
export class Service {
  #apiKey = withTabStorage((storage) => storage.getItem(storedKey)) ?? '';
  #isRemembered = this.#apiKey !== '';
  readonly #listeners = new Set<() => void>();

  get apiKey(): string {
    return this.#apiKey;
  }

  get kind(): ServiceKind {
    if (this.#apiKey === '') return 'emulator';
    return /^[\x21-\x7e]*$/.test(this.#apiKey) ? 'api' : 'none';
  }

  /** The name of the service, for use in a sentence. */
  get name(): string {
    return serviceNames[this.kind];
  }

  /** Whether the key survives a reload of this tab. */
  get isRemembered(): boolean {
    return this.#isRemembered;
  }

  /** Sets the key. `''` selects the emulator. */
  setKey(apiKey: string): void {
    if (apiKey === this.#apiKey) return;
    this.#apiKey = apiKey;
    this.#changed();
  }

  /** Keeps the key in this tab's session storage, or removes it from there. */
  remember(isRemembered: boolean): void {
    this.#isRemembered = isRemembered;
    this.#changed();
  }

  /** Calls `listener` after every change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    withTabStorage((storage) => {
      if (this.#isRemembered && this.kind === 'api') storage.setItem(storedKey, this.#apiKey);
      else storage.removeItem(storedKey);
    });
    for (const listener of [...this.#listeners]) listener();
  }
}
