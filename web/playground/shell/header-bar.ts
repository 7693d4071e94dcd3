// Shows the buttons of the header: the model and the service open the settings.
import type { DocumentStore } from '../document/document-store.js';
import { button, element } from '../dom.js';
import type { Service, ServiceKind } from '../settings/service.js';

const labels: Record<ServiceKind, string> = {
  emulator: 'Using the emulator',
  api: 'Using the Gemini API',
  none: 'Invalid API key',
};

/** Returns the button that says which model and service are in use, and opens the settings. */
export function serviceButton(
  document: DocumentStore,
  service: Service,
  open: () => void,
): HTMLElement {
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
