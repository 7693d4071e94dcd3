// Reads the model, the key and the template with which the chat sends its next message.
import type { ServiceKind } from '../settings/service.js';
import type { ViewContext } from '../views.js';
import type { Settings } from './session.js';
import { TemplateEditor } from './template-editor.js';

/** What the chat sends with: model and template of the document, and the key of the page. */
export class SettingsForm {
  readonly #context: ViewContext;
  readonly #template: HTMLTextAreaElement;
  #isRestoring = false;

  /** `onChange` is called for each change of model or key. A template applies from the next request. */
  constructor(context: ViewContext, template: HTMLTextAreaElement, onChange: () => void) {
    this.#context = context;
    this.#template = template;
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
    document.subscribe((value, previous) => {
      if (template.value !== value.prompt.static) template.value = value.prompt.static;
      if (value.settings.model !== previous.settings.model) changed();
    });
  }

  /** The current settings. */
  get settings(): Settings {
    const { document, service } = this.#context;
    const template = this.#template.value.trim();
    return { model: document.value.settings.model, apiKey: service.apiKey, template };
  }

  /** The service that answers with this key. */
  get service(): ServiceKind {
    return this.#context.service.kind;
  }

  /** Restores a model and a key, without a call of `onChange`. */
  restore({ model, apiKey }: Settings): void {
    const { document, service } = this.#context;
    this.#isRestoring = true;
    service.setKey(apiKey);
    document.update((value) => ({ ...value, settings: { ...value.settings, model } }));
    this.#isRestoring = false;
  }
}
