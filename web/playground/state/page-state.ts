// Holds what the page shows around the document, unsaved: the open view, the settings, an offer to undo, a notice.
import { signal } from '@preact/signals';
import { messageOf } from '../../sdk/internal/messages.js';
import { isEdit, type DocumentStore } from './document-store.js';
import type { ComponentChildren } from 'preact';
import type { ViewName } from './playground-document.js';

/** How long an offer is shown. Ctrl+Z undoes also after that. */
const offerMs = 10_000;

/** What is shown: a sentence, and what its button does. */
export interface Offer {
  sentence: string;
  undo: () => void;
}

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

/** What the address or a session has to say, above the open view. */
export interface Guide {
  label: string;
  content: ComponentChildren;
  /** Whether it says that something failed. */
  isProblem?: boolean;
  /** The only view above which it is shown. */
  view?: ViewName;
}

export type DialogName = 'examples' | 'recent' | 'share';

/** The state of the page, as signals. */
export class PageState {
  /** The open view, and what it should show, in that view's own words. Each opening is another object. */
  readonly opened = signal<{ view: ViewName; focus?: string | undefined }>({ view: 'lint' });
  /** Whether the settings are open, and the ID of the field that gets the focus. */
  readonly settings = signal<{ isOpen: boolean; field?: string | undefined }>({ isOpen: false });
  readonly dialog = signal<DialogName>();
  readonly guide = signal<Guide>();
  readonly announcement = signal('');
  /** Counts the documents that were opened: what belongs to one is drawn anew for the next. */
  readonly session = signal(0);
  /** The version of the core, or that it failed to load. */
  readonly core = signal('');
  readonly offers: UndoOffers;

  constructor(document: DocumentStore) {
    this.offers = new UndoOffers(document, this.announce);
    document.subscribe((_value, _previous, cause) => {
      if (cause !== 'open') return;
      this.session.value += 1;
      this.guide.value = undefined;
    });
  }

  /** Lets screen readers say a text. */
  readonly announce = (text: string): void => {
    this.announcement.value = text;
  };

  /** Opens the settings, and focuses the field with this ID. */
  openSettings(field?: string): void {
    this.settings.value = { isOpen: true, field };
  }
}
