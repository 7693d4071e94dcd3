// Keeps the chat of the document: what the view changes, and what others change.
import type { Cause, DocumentStore } from '../document/document-store.js';
import type { ChatDraft, PlaygroundDocument } from '../document/playground-document.js';

const hasOtherModel = (a: PlaygroundDocument, b: PlaygroundDocument) =>
  a.settings.model !== b.settings.model || a.settings.backend !== b.settings.backend;

/** The chat of the document. */
export class ChatDraftStore {
  readonly #document: DocumentStore;
  /** The chat as this object has set it. */
  #own: ChatDraft;

  /** `onReplaced` is called when the chat was changed elsewhere: by Undo, another session, or another view. */
  constructor(document: DocumentStore, onReplaced: (cause: Cause) => void) {
    this.#document = document;
    this.#own = document.value.chat;
    document.subscribe((value, previous, cause) => {
      const isRestored = cause !== 'update' && hasOtherModel(value, previous);
      if (value.chat === this.#own && !isRestored) return;
      this.#own = value.chat;
      onReplaced(cause);
    });
  }

  get value(): ChatDraft {
    return this.#own;
  }

  /** Changes the chat. `undo` is the label of a removal. */
  change(changes: Partial<ChatDraft>, undo?: string): void {
    if (this.#document.isReadOnly) return;
    this.#own = { ...this.#own, ...changes };
    const chat = this.#own;
    this.#document.update((value) => ({ ...value, chat }), undo === undefined ? {} : { undo });
  }
}
