// Holds one conversation of the page: its model, its service, and its session once the core is loaded.
import type { CoreHolder } from '../core-holder.js';
import type { ServiceKind } from '../settings/service.js';
import { Session, type Settings } from './session.js';

/** A conversation with one model and one service: no others accept its signatures. */
export class Chat {
  /** The newest settings with which it can continue. */
  settings: Settings;
  readonly service: ServiceKind;
  readonly #core: CoreHolder;
  #opening: Promise<Session> | undefined;
  #session: Session | undefined;

  constructor(core: CoreHolder, settings: Settings, service: ServiceKind) {
    this.#core = core;
    this.settings = settings;
    this.service = service;
  }

  /** Loads the core. After a failure, the next call loads it again. */
  async open(): Promise<Session> {
    this.#opening ??= Session.open(this.#core, this.settings.model, this.service);
    try {
      return (this.#session = await this.#opening);
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Whether it can continue with these settings. An invalid key counts as unchanged. */
  accepts(settings: Settings, service: ServiceKind): boolean {
    const isSameService = service === 'none' || service === this.service;
    return isSameService && settings.model === this.settings.model;
  }

  /** Whether there are no turns and no requests. */
  get isEmpty(): boolean {
    return this.#session?.isEmpty ?? true;
  }

  /** The text of the user's message that has no answer yet. */
  get unanswered(): string | undefined {
    return this.#session?.unanswered;
  }
}
