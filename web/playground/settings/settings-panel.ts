// Shows the settings of the document, and the key.
import type { DocumentStore } from '../document/document-store.js';
import type { DocumentSettings } from '../document/playground-document.js';
import { element } from '../dom.js';
import { SidePanel } from '../shell/side-panel.js';
import { KeyField } from './key-field.js';
import { ModelField } from './model-field.js';
import type { ViewContext } from '../views.js';

/** The panel beside the views; on a phone, it covers them. */
export class SettingsPanel {
  readonly #panel: SidePanel;
  readonly #document: DocumentStore;
  readonly #model: ModelField;

  constructor(dialog: HTMLDialogElement, { document, service, open }: ViewContext) {
    this.#document = document;
    this.#model = new ModelField((model) => this.#change({ model }));
    const key = new KeyField(service, () => {
      this.#panel.closeOnPhone();
      open(document.value.view, 'message');
    });
    const model = element('label', { htmlFor: this.#model.list.id }, 'Model');
    this.#panel = new SidePanel(dialog, 'Settings', [
      element('div', { className: 'fields' }, model, this.#model.list, this.#model.name),
      element('div', { className: 'fields' }, ...key.elements),
    ]);
    document.subscribe(() => this.#show());
    this.#show();
  }

  /** Opens the panel, and focuses the field with this ID. */
  open(field?: string): void {
    this.#panel.open(field);
  }

  toggle(): void {
    this.#panel.toggle();
  }

  #change(changes: Partial<DocumentSettings>): void {
    this.#document.update((value) => ({ ...value, settings: { ...value.settings, ...changes } }));
  }

  #show(): void {
    const { settings } = this.#document.value;
    this.#model.show(settings.model);
    this.#model.disabled = this.#document.isReadOnly;
  }
}
