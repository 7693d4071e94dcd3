// Holds one conversation of the page: its model, its service, and its session once the core is loaded.
import type { CoreHolder } from '../engine/core-holder.js';
import type { ServiceKind } from '../state/service.js';
import { Session, type SessionOptions } from './session.js';
import type { Settings } from '../engine/chat-settings.js';

/** A conversation with one model and one service: no others accept its signatures. */
export class Chat {
  /** The newest settings with which it can continue. */
  settings: Settings;
  readonly service: ServiceKind;
  readonly #core: CoreHolder;
  readonly #options: SessionOptions;
  #opening: Promise<Session> | undefined;
  #session: Session | undefined;

  constructor(core: CoreHolder, options: SessionOptions) {
    this.#core = core;
    this.#options = options;
    this.settings = options.settings;
    this.service = options.service;
  }

  /** Loads the core. After a failure, the next call loads it again. */
  async open(): Promise<Session> {
    this.#opening ??= Session.open(this.#core, this.#options);
    try {
      return (this.#session = await this.#opening);
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Its session, once the core is loaded. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether it can continue with these settings. An invalid key counts as unchanged. */
  accepts({ model, backend }: Settings, service: ServiceKind): boolean {
    const isSameService = service === 'none' || service === this.service;
    const { settings } = this;
    return isSameService && model === settings.model && backend === settings.backend;
  }

  /** Whether there are no turns and no requests. */
  get isEmpty(): boolean {
    return this.#session?.isEmpty ?? this.#options.saved === '';
  }

  /** The text of the user's message that has no answer yet. */
  get unanswered(): string | undefined {
    return this.#session?.unanswered;
  }
}
