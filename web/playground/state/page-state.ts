// Holds what the page shows around the document: the open view, the settings, an offer to undo, and a
// notice. It is not saved.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { DocumentStore } from './document-store.js';
import type { ViewName } from './playground-document.js';
import { UndoOffers } from './undo-offers.js';

/** What the address or a session has to say, above the open view. */
export interface Guide {
  /** Names it for screen readers. */
  label: string;
  content: ComponentChildren;
  /** Whether it says that something failed. */
  isProblem?: boolean;
}

/** The dialogs of the page. */
export type DialogName = 'examples' | 'recent' | 'share';

/** The state of the page, as signals. */
export class PageState {
  /** The open view, and what it should show, in that view's own words. Each opening is another object. */
  readonly opened = signal<{ view: ViewName; focus?: string | undefined }>({ view: 'lint' });
  /** Whether the settings are open, and the ID of the field that gets the focus. */
  readonly settings = signal<{ isOpen: boolean; field?: string | undefined }>({ isOpen: false });
  readonly dialog = signal<DialogName>();
  readonly guide = signal<Guide>();
  /** What screen readers say. */
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

  readonly announce = (text: string): void => {
    this.announcement.value = text;
  };

  readonly openSettings = (field?: string): void => {
    this.settings.value = { isOpen: true, field };
  };
}
