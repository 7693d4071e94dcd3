// Holds one conversation of the page: its model, who answers it, and its session once the core is loaded.
import { Session, type Service, type Settings } from './session.js';

/** A conversation. The model and the service stay the same: others could not read its signatures. */
export class Chat {
  /** The last settings that it can continue with. */
  settings: Settings;
  readonly service: Service;
  #opening: Promise<Session> | undefined;
  #session: Session | undefined;

  constructor(settings: Settings, service: Service) {
    this.settings = settings;
    this.service = service;
  }

  /** Loads the core. If that fails, the next call tries again. */
  async open(): Promise<Session> {
    this.#opening ??= Session.open(this.settings.model, this.service);
    try {
      return (this.#session = await this.#opening);
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Whether it continues with these settings. An invalid key changes nothing: nothing can be sent with it. */
  accepts(settings: Settings, service: Service): boolean {
    const isSameService = service === 'nobody' || service === this.service;
    return isSameService && settings.model === this.settings.model;
  }

  /** Whether nothing was said and nothing was sent. */
  get isEmpty(): boolean {
    return this.#session?.isEmpty ?? true;
  }

  /** The user's message that has no answer yet. */
  get unanswered(): string | undefined {
    return this.#session?.unanswered;
  }
}
