// Keeps the chat of the document: what the view changes, and what others change.
import type { Cause, DocumentStore } from '../state/document-store.js';
import type { ChatDraft, PlaygroundDocument } from '../state/playground-document.js';
import { savedCourseName, withBranch } from './branches.js';

const hasOtherModel = (a: PlaygroundDocument, b: PlaygroundDocument) =>
  a.settings.model !== b.settings.model || a.settings.backend !== b.settings.backend;

/** The chat of the document. */
export class ChatDraftStore {
  readonly #document: DocumentStore;
  /** The chat as this object has set it. */
  #own: ChatDraft;
  /** The chat before it was replaced. */
  #lost: ChatDraft | undefined;

  /** `onReplaced` is called when the chat was changed elsewhere: by Undo, another session, or another view. */
  constructor(document: DocumentStore, onReplaced: (cause: Cause) => void) {
    this.#document = document;
    this.#own = document.value.chat;
    document.subscribe((value, previous, cause) => {
      const isRestored = cause !== 'update' && hasOtherModel(value, previous);
      if (value.chat === this.#own && !isRestored) return;
      this.#lost = this.#own;
      this.#own = value.chat;
      onReplaced(cause);
    });
  }

  get value(): ChatDraft {
    return this.#own;
  }

  /** Keeps the course before an Undo as a branch, if it has turns that were added since. */
  keepLostTurns(): void {
    const { saved = '' } = this.#lost ?? {};
    const kept = [this.#own, ...this.#own.branches].map((course) => course.saved).join('\n');
    const isLost = saved.split('\n').some((line) => !kept.includes(line));
    if (!isLost) return;
    const branch = { name: savedCourseName(saved), saved };
    const { branches } = this.#own;
    this.change({ branches: withBranch(branches, branch) });
  }

  /** Changes the chat. `undo` is the label of a removal. */
  change(changes: Partial<ChatDraft>, undo?: string): void {
    if (this.#document.isReadOnly) return;
    this.#own = { ...this.#own, ...changes };
    const chat = this.#own;
    this.#document.update((value) => ({ ...value, chat }), undo === undefined ? {} : { undo });
  }
}
