// Reads model, key and template, and shows which service answers. The key is only in its field and in the
// client, never in the URL or in storage.
import { byId } from '../dom.js';
import type { Service, Settings } from './session.js';
import { TemplateEditor } from './template-editor.js';

const keyNote = 'A key is kept in memory only, until you leave or reload the page.';
const notes = {
  emulator: `The emulator in this page answers. Nothing is sent. ${keyNote}`,
  api: `Requests are sent only to generativelanguage.googleapis.com. ${keyNote}`,
  none: 'This key contains a space or another invalid character.',
};

const labels = {
  emulator: 'Using the emulator',
  api: 'Using the Gemini API',
  none: 'Invalid API key',
};

/** The settings fields, and the texts that name the service. */
export class SettingsForm {
  readonly #fields = byId('settings', HTMLFieldSetElement);
  readonly #model = byId('model', HTMLSelectElement);
  readonly #key = byId('key', HTMLInputElement);
  readonly #template = byId('template', HTMLTextAreaElement);
  readonly #note = byId('key-note', HTMLElement);
  readonly #service = byId('service', HTMLElement);
  readonly #privacy = byId('privacy', HTMLElement);

  /** `onChange` is called for each change of model or key. A template applies from the next request. */
  constructor(onChange: () => void) {
    this.#model.onchange = onChange;
    new TemplateEditor(this.#template);
    this.#key.onchange = () => {
      this.#showService();
      onChange();
    };
    this.#key.onkeydown = (event) => {
      if (event.key !== 'Enter') return;
      // Otherwise the focused field would receive the line break.
      event.preventDefault();
      byId('instruction', HTMLTextAreaElement).focus();
    };
    this.#showService();
  }

  /** The current settings. */
  get settings(): Settings {
    const template = this.#template.value.trim();
    return { model: this.#model.value, apiKey: this.#key.value.trim(), template };
  }

  /** The service that answers with this key. */
  get service(): Service {
    const { apiKey } = this.settings;
    if (apiKey === '') return 'emulator';
    return /^[\x21-\x7e]*$/.test(apiKey) ? 'api' : 'none';
  }

  /** Restores a model and a key. */
  restore({ model, apiKey }: Settings): void {
    this.#model.value = model;
    this.#key.value = apiKey;
    this.#showService();
  }

  set disabled(disabled: boolean) {
    this.#fields.disabled = disabled;
  }

  #showService(): void {
    const { service } = this;
    this.#key.ariaInvalid = String(service === 'none');
    this.#note.textContent = notes[service];
    this.#service.textContent = labels[service];
    this.#service.className = service === 'emulator' ? 'service' : 'service api';
    this.#privacy.textContent =
      service === 'api'
        ? 'Runs in your browser. Requests are sent only to Google.'
        : 'Runs in your browser. Nothing is sent.';
  }
}
