// Begins conversations, and brings back the one before as long as no message entered the new one.
import { Chat } from './chat.js';
import type { ConversationView } from './conversation-view.js';
import type { MessageBox } from './message-box.js';
import type { RequestPanel } from './request-panel.js';
import { serviceNames } from './session.js';
import type { SettingsForm } from './settings-form.js';
import { UndoOffer } from './undo-offer.js';

/** The places of the page that a conversation fills. */
export interface Places {
  view: ConversationView;
  panel: RequestPanel;
  form: SettingsForm;
  message: MessageBox;
}

/** The conversation that is shown, and the one that can be brought back. */
export class Conversations {
  readonly #places: Places;
  readonly #begun: () => void;
  readonly #offer: UndoOffer;
  #chat: Chat;

  /** `begun` is called with each new conversation; `mayChange` says whether another one may be shown now. */
  constructor(places: Places, begun: () => void, mayChange: () => boolean) {
    this.#places = places;
    this.#begun = begun;
    this.#offer = new UndoOffer(mayChange);
    this.#chat = new Chat(places.form.settings, places.form.service);
  }

  /** The one that is shown. */
  get chat(): Chat {
    return this.#chat;
  }

  /** Continues with the chosen settings, or begins a new conversation where that cannot work. */
  settingsChanged(): void {
    const { settings, service } = this.#places.form;
    const { model } = this.#chat.settings;
    if (this.#chat.accepts(settings, service)) {
      if (service !== 'nobody') this.#chat.settings = settings;
      return;
    }
    this.#begin(settings.model === model ? serviceNames[service] : settings.model, true);
  }

  /** Begins a new conversation with the same settings. */
  startAnew(): void {
    this.#begin(undefined, false);
  }

  /** A message entered the conversation: the one before is given up. */
  entered(): void {
    this.#offer.drop();
  }

  // What was said is kept for Undo; further changes before the first message keep that.
  #begin(partner: string | undefined, keepsMessage: boolean): void {
    const { view, panel, form, message } = this.#places;
    const before = this.#chat;
    const unanswered = keepsMessage ? before.unanswered : undefined;
    const title = partner === undefined ? 'New conversation' : `New conversation with ${partner}`;
    this.#chat = new Chat(form.settings, form.service);
    if (!before.isEmpty) {
      const takeMessage = unanswered === undefined ? () => {} : message.giveBack(unanswered);
      this.#offer.keep(() => {
        takeMessage();
        this.#bringBack(before, showLog, showRequests);
      });
    }
    const showLog = view.clear(this.#offer.notice(title));
    const showRequests = panel.clear();
    this.#begun();
  }

  #bringBack(chat: Chat, showLog: (note: string) => void, showRequests: () => void): void {
    const { form, message } = this.#places;
    const { settings } = chat;
    this.#chat = chat;
    // A key of the same service is the user's latest: it stays.
    const apiKey = form.service === chat.service ? form.settings.apiKey : settings.apiKey;
    form.restore({ ...settings, apiKey });
    showRequests();
    showLog(`The conversation with ${settings.model} is back.`);
    message.focus();
  }
}
