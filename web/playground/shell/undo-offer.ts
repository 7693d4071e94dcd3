// Offers to undo what was just removed.
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
  offer(label: string, restore: () => void): void {
    const undo = () => {
      this.#place.hidden = true;
      restore();
      this.#announce(`Undone: ${label}`);
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
    const text = element('p', {}, `${label}.`);
    this.#place.replaceChildren(text, button('Undo', undo), dismiss);
    this.#place.hidden = false;
    this.#announce(`${label}. It can be undone.`);
  }
}
