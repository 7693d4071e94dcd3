// Defines what the page gives to a view, and what a view gives to the page.
import type { CoreHolder } from './engine/core-holder.js';
import type { DocumentStore } from './state/document-store.js';
import type { ViewName } from './state/playground-document.js';
import type { PageState } from './state/page-state.js';
import type { Service } from './state/service.js';

export type { ViewName } from './state/playground-document.js';

export interface ViewContext {
  document: DocumentStore;
  /** What the page shows around the document. */
  page: PageState;
  /** Loads the core on this thread when it is first needed. */
  core: CoreHolder;
  /** Which service answers: the emulator, or Google with the user's key. */
  service: Service;
  /** Opens a view. `focus` says what it should show, in that view's own words. */
  open: (view: ViewName, focus?: string) => void;
}

/** What a view is drawn with, from when it is opened for the first time. */
export interface ViewProps {
  context: ViewContext;
  /** What `open` was called with, another object each time; undefined while another view is open. */
  opened: { focus?: string | undefined } | undefined;
}
