// Offers to undo what was just removed.
import { messageOf } from '../../sdk/internal/messages.js';
import type { DocumentStore } from '../state/document-store.js';
import { button, element } from '../../ui/dom.js';

/** Shows the newest removal with a button that undoes it, until the user dismisses it. */
export class UndoOffer {
  readonly #place: HTMLElement;
  readonly #store: DocumentStore;
  readonly #announce: (text: string) => void;
  #shown: unknown;
  /** What had the focus before this offer. */
  #before: EventTarget | null = null;

  constructor(place: HTMLElement, store: DocumentStore, announce: (text: string) => void) {
    this.#place = place;
    this.#store = store;
    this.#announce = announce;
    store.subscribe(() => this.#show());
    place.addEventListener('focusin', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && place.contains(relatedTarget);
      if (!isInside) this.#before = relatedTarget;
    });
  }

  /** Undoes the newest removal. */
  undo(): void {
    const label = this.#store.undo();
    if (label !== undefined) this.#announce(`Undone: ${label}`);
  }

  /** Shows an offer that the document does not know, such as to restore a deleted session. */
  offer(label: string, restore: () => Promise<void>): void {
    const undo = () => {
      this.#hide();
      restore().then(
        () => this.#announce(`Undone: ${label}`),
        (error: unknown) => this.#fill(`${label}. This was not undone: ${messageOf(error)}`, undo),
      );
    };
    this.#fill(label, undo);
  }

  #show(): void {
    const newest = this.#store.undoable;
    if (newest === this.#shown) return;
    this.#shown = newest;
    if (newest) this.#fill(newest.label, () => this.undo());
    else this.#hide();
  }

  #fill(label: string, undo: () => void): void {
    const dismiss = button('Dismiss', () => this.#hide());
    const sentence = label.endsWith('.') ? label : `${label}.`;
    this.#leave();
    this.#place.replaceChildren(element('p', {}, sentence), button('Undo', undo), dismiss);
    this.#place.hidden = false;
    this.#announce(`${sentence} It can be undone.`);
  }

  #hide(): void {
    this.#leave();
    this.#place.hidden = true;
  }

  // The focus would fall out of the page with the button that has it.
  #leave(): void {
    if (!this.#place.contains(document.activeElement)) return;
    if (this.#before instanceof HTMLElement) this.#before.focus();
    // What had it may be gone or hidden, too.
    if (this.#place.contains(document.activeElement))
      document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  }
}
