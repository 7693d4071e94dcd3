// Reads the settings with which the chat sends its next message, and edits the template of the static layer.
import type { ServiceKind } from '../state/service.js';
import type { ViewContext } from '../app.js';
import { settingsOf, type Settings } from '../engine/chat-settings.js';
import { TemplateEditor } from './template-editor.js';

/** What the chat sends with: the settings and the prompt of the document, and the key of the page. */
export class SettingsForm {
  readonly #context: ViewContext;
  #isRestoring = false;

  /** `onChange` is called for each change of model, backend or key. Others apply from the next request. */
  constructor(context: ViewContext, template: HTMLTextAreaElement, onChange: () => void) {
    this.#context = context;
    const { document, service } = context;
    template.value = document.value.prompt.static;
    template.oninput = () =>
      document.update((value) => ({
        ...value,
        prompt: { ...value.prompt, static: template.value },
      }));
    new TemplateEditor(template);
    const changed = () => {
      if (!this.#isRestoring) onChange();
    };
    service.subscribe(changed);
    document.subscribe((value, previous, cause) => {
      if (template.value !== value.prompt.static) template.value = value.prompt.static;
      const { model, backend } = previous.settings;
      const isSame = value.settings.model === model && value.settings.backend === backend;
      // A chat that changes with its model is loaded as a whole.
      if (!isSame && cause === 'update' && value.chat === previous.chat) changed();
    });
  }

  /** The current settings. */
  get settings(): Settings {
    const { document, service } = this.#context;
    return settingsOf(document.value, service.apiKey);
  }

  /** The service that answers with this key. */
  get service(): ServiceKind {
    return this.#context.service.kind;
  }

  /** Restores the settings of a conversation and a key, without a call of `onChange`. */
  restore({ model, backend, apiKey }: Settings): void {
    const { document, service } = this.#context;
    this.#isRestoring = true;
    service.setKey(apiKey);
    document.update((value) => ({ ...value, settings: { ...value.settings, model, backend } }));
    this.#isRestoring = false;
  }
}
