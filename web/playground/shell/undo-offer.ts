// Offers to undo what was just removed.
import { messageOf } from '../../sdk/base/error-message.js';
import type { DocumentStore } from '../document/document-store.js';
import { button, element } from '../dom.js';

/** Shows the newest removal with a button that undoes it, until the user dismisses it. */
export class UndoOffer {
  readonly #place: HTMLElement;
  readonly #document: DocumentStore;
  readonly #announce: (text: string) => void;
  #shown: unknown;

  constructor(place: HTMLElement, document: DocumentStore, announce: (text: string) => void) {
    this.#place = place;
    this.#document = document;
    this.#announce = announce;
    document.subscribe(() => this.#show());
  }

  /** Undoes the newest removal. */
  undo(): void {
    const label = this.#document.undo();
    if (label !== undefined) this.#announce(`Undone: ${label}`);
  }

  /** Shows an offer that the document does not know, such as to restore a deleted session. */
  offer(label: string, restore: () => Promise<void>): void {
    const undo = () => {
      this.#place.hidden = true;
      restore().then(
        () => this.#announce(`Undone: ${label}`),
        (error: unknown) => this.#fill(`${label}. This was not undone: ${messageOf(error)}`, undo),
      );
    };
    this.#fill(label, undo);
  }

  #show(): void {
    const newest = this.#document.undoable;
    if (newest === this.#shown) return;
    this.#shown = newest;
    if (newest) this.#fill(newest.label, () => this.undo());
    else this.#place.hidden = true;
  }

  #fill(label: string, undo: () => void): void {
    const dismiss = button('Dismiss', () => (this.#place.hidden = true));
    const sentence = label.endsWith('.') ? label : `${label}.`;
    this.#place.replaceChildren(element('p', {}, sentence), button('Undo', undo), dismiss);
    this.#place.hidden = false;
    this.#announce(`${sentence} It can be undone.`);
  }
}
