// Starts conversations, and restores the previous one until the new one has a message.
import type { CoreHolder } from '../engine/core-holder.js';
import type { ChatDraft } from '../state/playground-document.js';
import { serviceNames } from '../state/service.js';
import { savedCourseName } from './branches.js';
import { Chat } from './chat.js';
import type { ChatDraftStore } from './chat-draft.js';
import type { AskForResult } from './chat-tools.js';
import type { ConversationView } from './conversation-view.js';
import type { MessageBox } from './message-box.js';
import type { RequestPanel } from './request-panel.js';
import type { SettingsForm } from './settings-form.js';
import { UndoOffer } from './undo-offer.js';

/** The parts of the page that show a conversation. */
export interface Views {
  core: CoreHolder;
  draft: ChatDraftStore;
  view: ConversationView;
  panel: RequestPanel;
  form: SettingsForm;
  message: MessageBox;
  ask: AskForResult;
}

/** The current conversation, and the previous one that can be restored. */
export class Conversations {
  readonly #views: Views;
  readonly #onStart: () => void;
  readonly #offer: UndoOffer;
  #chat: Chat;

  /** `onStart` is called for each new conversation; `mayChange` returns whether switching is possible now. */
  constructor(views: Views, onStart: () => void, mayChange: () => boolean) {
    this.#views = views;
    this.#onStart = onStart;
    this.#offer = new UndoOffer(mayChange);
    this.#chat = this.#create();
  }

  /** The current conversation. */
  get chat(): Chat {
    return this.#chat;
  }

  /** Applies the settings to the current conversation, or starts a new one if it cannot continue with them. */
  settingsChanged(): void {
    const { settings, service } = this.#views.form;
    const { model, backend } = this.#chat.settings;
    if (this.#chat.accepts(settings, service)) {
      if (service !== 'none') this.#chat.settings = settings;
      return;
    }
    // After a reload, the key has to be entered again: it continues the restored conversation.
    const isRestored = !this.#chat.isEmpty && this.#chat.session?.hasSent !== true;
    if (isRestored && settings.model === model && settings.backend === backend)
      return this.reopen();
    this.#start(settings.model === model ? serviceNames[service] : settings.model, true);
  }

  /** Starts a new conversation with the same settings. */
  startNew(): void {
    this.#start(undefined, false);
  }

  /** Call it when the conversation gets a message: the previous conversation can no longer be restored. */
  messageAdded(): void {
    this.#offer.drop();
  }

  /** Loads the turns of the document into the current conversation. Returns false if it is another one. */
  reload(): boolean {
    const { draft, form } = this.#views;
    const { session } = this.#chat;
    if (!session || !this.#chat.accepts(form.settings, form.service)) return false;
    session.load(draft.value.saved);
    return true;
  }

  /** Opens the chat of the document, which was replaced as a whole. */
  reopen(): void {
    this.#offer.drop();
    this.#chat = this.#create();
    this.#views.view.clear();
    this.#views.panel.clear();
    this.#onStart();
  }

  #create(): Chat {
    const { core, draft, form, ask } = this.#views;
    const { settings, service } = form;
    return new Chat(core, { settings, service, saved: draft.value.saved, ask });
  }

  // Keeps a conversation that has messages for Undo. Further changes before the first message do not replace it.
  #start(partner: string | undefined, keepsMessage: boolean): void {
    const { view, panel, message, draft } = this.#views;
    const before = this.#chat;
    const isEmpty = before.isEmpty;
    const unanswered = keepsMessage ? before.unanswered : undefined;
    const title = partner === undefined ? 'New conversation' : `New conversation with ${partner}`;
    const draftBefore = draft.value;
    draft.change(emptyDraft(draftBefore));
    this.#chat = this.#create();
    if (!isEmpty) {
      const revertMessage = unanswered === undefined ? () => {} : message.restore(unanswered);
      this.#offer.keep(() => {
        revertMessage();
        draft.change(draftBefore);
        this.#restore(before, showLog, showRequests);
      });
    }
    const showLog = view.clear(this.#offer.notice(title));
    const showRequests = panel.clear();
    this.#onStart();
  }

  #restore(chat: Chat, showLog: (note: string) => void, showRequests: () => void): void {
    const { form, message } = this.#views;
    const { settings } = chat;
    this.#chat = chat;
    // For the same service, keeps the key that is entered now.
    const apiKey = form.service === chat.service ? form.settings.apiKey : settings.apiKey;
    form.restore({ ...settings, apiKey });
    showRequests();
    showLog(`Restored the conversation with ${settings.model}.`);
    message.focus();
  }
}

// Keeps the conversation as a branch, so that it is there after Undo is gone.
function emptyDraft({ saved, branches, numbers = [] }: ChatDraft): ChatDraft {
  const isEmpty = saved.trim() === '';
  const kept = isEmpty ? branches : [...branches, { name: savedCourseName(saved), saved }];
  return { saved: '', discarded: [], branches: kept, numbers };
}
