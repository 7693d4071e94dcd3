// Offers to undo what was just removed, until ten seconds have passed or something else changes.
import { signal } from '@preact/signals';
import { messageOf } from '../../sdk/internal/messages.js';
import { isEdit, type DocumentStore } from './document-store.js';

/** How long an offer is shown. Ctrl+Z undoes also after that. */
const offerMs = 10_000;

/** What is shown: a sentence, and what its button does. */
export interface Offer {
  sentence: string;
  undo: () => void;
}

/** The newest offer. */
export class UndoOffers {
  readonly shown = signal<Offer>();
  readonly #store: DocumentStore;
  readonly #announce: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: DocumentStore, announce: (text: string) => void) {
    this.#store = store;
    this.#announce = announce;
    let newest = store.undoable;
    store.subscribe((value, previous, cause) => {
      const before = newest;
      newest = store.undoable;
      if (cause === 'open') this.end();
      else if (newest && newest !== before && newest.after === value)
        this.#show({ sentence: `${newest.label}.`, undo: () => this.undo() });
      else if (isEdit(value, previous)) this.end();
    });
  }

  /** Undoes what is offered, or the newest removal in the document. */
  undo(): void {
    this.end();
    const label = this.#store.undo();
    if (label !== undefined) this.#announce(`Undone: ${label}`);
  }

  /** Offers what the document does not know, such as to restore a deleted session. */
  offer(label: string, restore: () => Promise<void>): void {
    const undo = () => {
      this.end();
      restore().then(
        () => this.#announce(`Undone: ${label}`),
        (error: unknown) =>
          this.#show({ sentence: `${label}. This was not undone: ${messageOf(error)}`, undo }),
      );
    };
    this.#show({ sentence: `${label}.`, undo });
  }

  /** Ends the offer. */
  end(): void {
    clearTimeout(this.#timer);
    this.shown.value = undefined;
  }

  /** Starts the time of the offer, or stops it while its buttons have the focus. */
  hold(isHeld: boolean): void {
    clearTimeout(this.#timer);
    if (!isHeld) this.#timer = setTimeout(() => this.end(), offerMs);
  }

  #show(offer: Offer): void {
    this.shown.value = offer;
    this.hold(false);
    this.#announce(`${offer.sentence} It can be undone.`);
  }
}
