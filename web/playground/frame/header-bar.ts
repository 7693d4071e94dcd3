// Shows the buttons of the header: commands, sessions, and the settings with the model and the service in use.
import type { DocumentStore } from '../state/document-store.js';
import { button, element } from '../../ui/dom.js';
import type { Palette } from './palette/palette.js';
import type { SessionList } from './sessions/session-list.js';
import type { Service, ServiceKind } from '../state/service.js';
import type { SettingsPanel } from './settings/settings-panel.js';
import type { ViewContext } from '../app.js';

const labels: Record<ServiceKind, string> = {
  emulator: 'Using the emulator',
  api: 'Using the Gemini API',
  none: 'Invalid API key',
};

/** What the buttons open. */
export interface HeaderTargets {
  settings: SettingsPanel;
  list: SessionList;
  palette: Palette;
}

/** Returns the buttons. */
export function headerButtons(
  { document, service }: ViewContext,
  { settings, list, palette }: HeaderTargets,
): HTMLElement[] {
  const commands = button('Commands', () => palette.open());
  commands.setAttribute('aria-keyshortcuts', 'Control+K Meta+K');
  commands.title = 'Find a command (Ctrl+K)';
  return [
    button('Sessions', () => void list.open()),
    commands,
    serviceButton(document, service, () => settings.toggle()),
  ];
}

// The button says which model and service are in use, and opens the settings.
function serviceButton(document: DocumentStore, service: Service, open: () => void): HTMLElement {
  const model = element('span', { className: 'model' });
  const name = element('span', { id: 'service', role: 'status' });
  const opener = button('', open);
  opener.append(model, name);
  opener.title = 'Open or close the settings';
  const show = () => {
    model.textContent = document.value.settings.model;
    name.textContent = labels[service.kind];
    opener.className = service.kind === 'emulator' ? 'service' : 'service api';
  };
  document.subscribe(show);
  service.subscribe(show);
  show();
  return opener;
}
