// Starts the page: one document, one service, and the views that share them.
import { CoreHolder } from './core-holder.js';
import { DocumentStore } from './document/document-store.js';
import { emptyDocument, type ViewName } from './document/playground-document.js';
import { byId } from './dom.js';
import { LintClient } from './lint/client.js';
import { createLintView } from './lint/view.js';
import { ActionList } from './palette/action-list.js';
import { Service } from './settings/service.js';
import { SettingsPanel } from './settings/settings-panel.js';
import { showCoreFailure, showPrivacy, showVersion } from './shell/footer.js';
import { serviceButton } from './shell/header-bar.js';
import { Tabs } from './shell/tabs.js';
import { UndoOffer } from './shell/undo-offer.js';
import { ViewHost } from './shell/view-host.js';
import type { ViewContext } from './views.js';

const store = new DocumentStore(emptyDocument());
const service = new Service();
const announcements = byId('announcements', HTMLElement);
const announce = (text: string) => (announcements.textContent = text);

function open(view: ViewName, focus?: string): void {
  store.update((value) => (value.view === view ? value : { ...value, view }));
  tabs.select(view);
  void host.show(view, focus);
}

const context: ViewContext = {
  document: store,
  core: new CoreHolder(showVersion, showCoreFailure),
  lintWorker: new LintClient(),
  service,
  actions: new ActionList(),
  announce,
  open,
  openSettings: (field) => settings.open(field),
};

const tabs = new Tabs(byId('tablist', HTMLElement), open);
const host = new ViewHost(byId('views', HTMLElement), {
  lint: async () => createLintView(context),
  prompt: async () => (await import('./prompt/view.js')).createPromptView(context),
  chat: async () => (await import('./chat/view.js')).createChatView(context),
});
const settings = new SettingsPanel(byId('settings', HTMLDialogElement), store, service, () =>
  open(store.value.view, 'message'),
);
new UndoOffer(byId('offers', HTMLElement), store, announce);
byId('bar', HTMLElement).append(serviceButton(store, service, () => settings.toggle()));
showPrivacy(service);
open(store.value.view);
