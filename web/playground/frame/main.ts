// Starts the page: one document, one service, and the views that share them.
import { CoreHolder } from '../engine/core-holder.js';
import { DocumentStore } from '../state/document-store.js';
import { emptyDocument } from '../state/playground-document.js';
import { byId } from '../../ui/dom.js';
import { LintChoice } from '../engine/lint-choice.js';
import { LintClient } from '../engine/lint-client.js';
import { createLintView } from '../lint/view.js';
import { ActionList } from '../state/action-list.js';
import { openSessions } from './sessions/open-sessions.js';
import { Service } from '../state/service.js';
import { SettingsPanel } from './settings/settings-panel.js';
import { restoreTheme } from './settings/theme.js';
import { showCoreFailure, showPrivacy, showVersion } from './footer.js';
import { addCommands } from './commands.js';
import { headerButtons } from './header-bar.js';
import { keepForOffline } from './offline.js';
import { Address } from './share/address.js';
import { shareButtons } from './share/share-buttons.js';
import { hideProblem, showProblem } from './problem.js';
import { Tabs } from './tabs.js';
import { UndoOffer } from './undo-offer.js';
import { ViewHost } from './view-host.js';
import type { ViewContext, ViewName } from '../app.js';

const store = new DocumentStore(emptyDocument());
const service = new Service();
const announcements = byId('announcements', HTMLElement);

const context: ViewContext = {
  document: store,
  core: new CoreHolder(
    (version) => {
      showVersion(version);
      hideProblem();
    },
    (error) => {
      showCoreFailure();
      showProblem(error, () => void context.core.shared().catch(() => undefined));
    },
  ),
  lintWorker: new LintClient(),
  lintChoice: new LintChoice(),
  service,
  actions: new ActionList(),
  announce: (text) => (announcements.textContent = text),
  open(view, focus) {
    store.update((value) => (value.view === view ? value : { ...value, view }));
    tabs.select(view);
    void host.show(view, focus);
  },
  openSettings: (field) => settings.open(field),
};

/** The view that was chosen last with its tab: also before the session was read, which may name another. */
let chosen: ViewName | undefined;
/** Whether the session was read. What a user did in a view before that would be lost with the empty document. */
let isRead = false;
const tabs = new Tabs(byId('tablist', HTMLElement), (view) => {
  chosen = view;
  if (isRead) context.open(view);
  else tabs.select(view);
});
const host = new ViewHost(byId('views', HTMLElement), {
  lint: async () => createLintView(context),
  prompt: async () => (await import('../prompt/view.js')).createPromptView(context),
  chat: async () => (await import('../chat/view.js')).createChatView(context),
});
const settings = new SettingsPanel(byId('settings', HTMLDialogElement), context);
const offers = new UndoOffer(byId('offers', HTMLElement), store, context.announce);

async function start(): Promise<void> {
  restoreTheme();
  showPrivacy(service);
  const { sessions, list } = await openSessions(context, offers);
  const palette = addCommands(context, { settings, list, offers, host });
  const buttons = [
    ...shareButtons(context),
    ...headerButtons(context, { settings, list, palette }),
  ];
  await new Address(context, sessions).start();
  byId('bar', HTMLElement).append(...buttons);
  store.subscribe((value, _previous, cause) => {
    if (cause === 'open') context.open(value.view);
  });
  context.open(chosen ?? store.value.view);
  keepForOffline();
}

start()
  .catch((error: unknown) => showProblem(error, () => location.reload()))
  .finally(() => (isRead = true));
