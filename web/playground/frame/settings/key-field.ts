// Reads the user's key and says which service answers. The key is only in its field and in the Service.
import { element } from '../../../ui/dom.js';
import type { Service, ServiceKind } from '../../state/service.js';

const notes: Record<ServiceKind, string> = {
  emulator: 'The emulator in this page answers. Nothing is sent.',
  api: 'Requests are sent only to generativelanguage.googleapis.com.',
  none: 'This key contains a space or another invalid character.',
};

const memoryNote = 'A key is kept in memory only, until you leave or reload the page.';
const rememberedNote = 'This key is kept until you close this tab.';

/** The fields of the key. */
export class KeyField {
  readonly #service: Service;
  readonly #key = element('input', { id: 'key', type: 'password', autocomplete: 'off' });
  readonly #remember = element('input', { id: 'remember', type: 'checkbox' });
  readonly #note = element('p', { id: 'key-note', className: 'note' });
  readonly elements: HTMLElement[];

  /** `onEnter` is called when the user confirms the key with Enter. */
  constructor(service: Service, onEnter: () => void) {
    this.#service = service;
    this.#key.spellcheck = false;
    this.#key.placeholder = 'optional';
    this.#key.setAttribute('aria-describedby', this.#note.id);
    this.#key.onchange = () => service.setKey(this.#key.value.trim());
    this.#key.onkeydown = (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      service.setKey(this.#key.value.trim());
      onEnter();
    };
    this.#remember.onchange = () => service.remember(this.#remember.checked);
    const label = element('label', { htmlFor: 'key' }, 'API key');
    const remember = element('label', { className: 'switch' }, this.#remember);
    remember.append(' Remember in this tab');
    this.elements = [label, this.#key, remember, this.#note];
    service.subscribe(() => this.#show());
    this.#show();
  }

  #show(): void {
    const { kind, apiKey, isRemembered } = this.#service;
    if (this.#key.value.trim() !== apiKey) this.#key.value = apiKey;
    this.#key.ariaInvalid = String(kind === 'none');
    this.#remember.checked = isRemembered;
    const keeping = isRemembered && kind === 'api' ? rememberedNote : memoryNote;
    this.#note.textContent = `${notes[kind]} ${keeping}`;
  }
}
