// Says which service answers: the emulator in this page, or Google with the user's key.
import { effect, signal } from '@preact/signals';
import { readStored, store } from './browser-storage.js';

/** The service that answers: the API, the emulator, or none if the key is invalid. */
export type ServiceKind = 'emulator' | 'api' | 'none';

const serviceNames: Record<ServiceKind, string> = {
  emulator: 'the emulator',
  api: 'the Gemini API',
  none: 'no service',
};

const storedKey = 'prompt-strata key';

/**
 * The user's key and the service that it selects, as signals. The key is kept in memory and, only if the user asks for it,
 * in the session storage of this tab. It is never in the document, a link or a log.
 */
export class Service {
  readonly #apiKey = signal(readStored('tab', storedKey) ?? '');
  readonly #isRemembered = signal(this.#apiKey.peek() !== '');

  constructor() {
    effect(() => {
      const isKept = this.isRemembered && this.kind === 'api';
      store('tab', storedKey, isKept ? this.apiKey : undefined);
    });
  }

  /** `''` selects the emulator. */
  get apiKey(): string {
    return this.#apiKey.value;
  }

  set apiKey(apiKey: string) {
    this.#apiKey.value = apiKey;
  }

  get kind(): ServiceKind {
    if (this.apiKey === '') return 'emulator';
    return /^[\x21-\x7e]*$/.test(this.apiKey) ? 'api' : 'none';
  }

  /** The name of the service, for use in a sentence. */
  get name(): string {
    return serviceNames[this.kind];
  }

  /** Whether the key survives a reload of this tab. */
  get isRemembered(): boolean {
    return this.#isRemembered.value;
  }

  set isRemembered(isRemembered: boolean) {
    this.#isRemembered.value = isRemembered;
  }
}
