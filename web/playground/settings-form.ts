// Reads model, key and template, and says who answers because of them. The key lives in its field and in the
// client, never in the address or in storage.
import { byId } from './dom.js';
import type { Service, Settings } from './session.js';
import { TemplateEditor } from './template-editor.js';

const kept = 'A key is kept in memory only, until you leave or reload.';
const notes = {
  emulator: `The emulator in this page answers, and nothing is sent. ${kept}`,
  api: `Requests go to generativelanguage.googleapis.com alone. ${kept}`,
  nobody: 'This key holds a space or another character that no key has.',
};

const answers = {
  emulator: 'The emulator answers',
  api: 'The Gemini API answers',
  nobody: 'Nobody answers: invalid key',
};

/** The fields, and the lines that say who answers. */
export class SettingsForm {
  readonly #fields = byId('settings', HTMLFieldSetElement);
  readonly #model = byId('model', HTMLSelectElement);
  readonly #key = byId('key', HTMLInputElement);
  readonly #template = byId('template', HTMLTextAreaElement);
  readonly #note = byId('key-note', HTMLElement);
  readonly #service = byId('service', HTMLElement);
  readonly #privacy = byId('privacy', HTMLElement);

  /** `changed` is called with every new choice of model or key; a template holds from the next request on. */
  constructor(changed: () => void) {
    this.#model.onchange = changed;
    new TemplateEditor(this.#template);
    this.#key.onchange = () => {
      this.#tell();
      changed();
    };
    this.#key.onkeydown = (event) => {
      if (event.key !== 'Enter') return;
      // The field that gets the focus would take the line break.
      event.preventDefault();
      byId('instruction', HTMLTextAreaElement).focus();
    };
    this.#tell();
  }

  get settings(): Settings {
    const template = this.#template.value.trim();
    return { model: this.#model.value, apiKey: this.#key.value.trim(), template };
  }

  /** Who answers with this key. */
  get service(): Service {
    const { apiKey } = this.settings;
    if (apiKey === '') return 'emulator';
    return /^[\x21-\x7e]*$/.test(apiKey) ? 'api' : 'nobody';
  }

  /** Chooses a model and a key again. */
  restore({ model, apiKey }: Settings): void {
    this.#model.value = model;
    this.#key.value = apiKey;
    this.#tell();
  }

  set disabled(disabled: boolean) {
    this.#fields.disabled = disabled;
  }

  #tell(): void {
    const { service } = this;
    this.#key.ariaInvalid = String(service === 'nobody');
    this.#note.textContent = notes[service];
    this.#service.textContent = answers[service];
    this.#service.className = service === 'emulator' ? 'service' : 'service api';
    this.#privacy.textContent =
      service === 'api'
        ? 'Runs in your browser; requests go to Google alone.'
        : 'Runs in your browser; nothing is sent.';
  }
}
