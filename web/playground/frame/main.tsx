// Starts the page: one document, one service, and the views that share them.
import { render } from 'preact';
import { messageOf } from '../../sdk/internal/messages.js';
import { Button } from '../../ui/elements.js';
import type { ViewContext, ViewName } from '../app.js';
import { CoreHolder } from '../engine/core-holder.js';
import { LintView } from '../lint/view.js';
import { DocumentStore } from '../state/document-store.js';
import { PageState } from '../state/page-state.js';
import { emptyDocument } from '../state/playground-document.js';
import { Service } from '../state/service.js';
import { Address } from './address.js';
import { bindUndo, Frame, type ViewLoaders } from './frame.js';
import { claimSession, openStorage } from './recent/session-storage.js';
import { Sessions } from './recent/sessions.js';

const coreAdvice =
  'The page needs WebAssembly, which some company networks and strict browser settings block. Check your connection, then load it again. If that fails at once, reload the page: your session is saved.';

const store = new DocumentStore(emptyDocument());
const page = new PageState(store);

const context: ViewContext = {
  document: store,
  page,
  core: new CoreHolder(coreLoaded, coreFailed),
  service: new Service(),
  open(view, focus) {
    if (store.value.view !== view) store.update({ view });
    page.opened.value = { view, focus };
  },
};

const loaders: ViewLoaders = {
  lint: async () => LintView,
  prompt: async () => (await import('../prompt/view.js')).PromptView,
  chat: async () => (await import('../chat/view.js')).ChatView,
};

function coreLoaded(version: string): void {
  page.core.value = `prompt-strata ${version}`;
  if (page.guide.peek()?.label === 'Core') page.guide.value = undefined;
}

// Says that the core failed to load, and what to do.
function coreFailed(error: unknown): void {
  page.core.value = 'The core failed to load';
  showFailure('Core', error, () => {
    page.guide.value = undefined;
    void context.core.shared().catch(() => undefined);
  });
}

function showFailure(label: string, error: unknown, retry: () => void): void {
  const content = (
    <>
      <h2>The page cannot check requests yet</h2>
      <p>{messageOf(error)}</p>
      <p>{coreAdvice}</p>
      <Button label="Load again" action={retry} />
    </>
  );
  page.guide.value = { label, content, isProblem: true };
}

// The page works offline from the second visit on. It is called after the first view is shown.
function keepForOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  // The development server has no service worker, and some browsers refuse it in private windows.
  navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
}

async function start(): Promise<void> {
  const sessions = new Sessions(await openStorage(), store, claimSession);
  /** The tab that was selected before the session was read: what a user does in a view before that would be lost. */
  let chosen: ViewName | undefined;
  let isRead = false;
  const openView = (view: ViewName) => {
    if (isRead) context.open(view);
    else chosen = view;
  };
  const place = document.getElementById('page');
  if (!place) throw new TypeError('index.html has no #page');
  render(<Frame {...{ context, sessions, loaders, openView }} />, place);
  bindUndo(page.offers);
  // The last change is saved when the page is left.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void sessions.flush();
  });
  await new Address(context, sessions).start().finally(() => (isRead = true));
  store.subscribe((value, _previous, cause) => {
    if (cause === 'open') context.open(value.view);
  });
  context.open(chosen ?? store.value.view);
  keepForOffline();
}

start().catch((error: unknown) => showFailure('Problem', error, () => location.reload()));
