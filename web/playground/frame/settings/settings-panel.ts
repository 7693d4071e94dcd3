// Shows the settings of the document, and the key.
import type { Backend } from '../../../index.js';
import type { DocumentStore } from '../../state/document-store.js';
import type { DocumentSettings } from '../../state/playground-document.js';
import { element } from '../../../ui/dom.js';
import { SidePanel } from '../side-panel.js';
import { ToolForm } from '../../chat/tools/tool-form.js';
import type { ViewContext } from '../../app.js';
import { GenerationForm } from './generation-form.js';
import { KeyField } from './key-field.js';
import { ModelField } from './model-field.js';
import { ModelRow } from './model-row.js';

const backendNote =
  'Vertex AI has rules of its own, which lint and the emulator follow. A key of this page works with the Gemini API only.';
const cachingNote = 'The chat may create a cache at Google, or in the emulator, when it pays off.';

const backends: Record<Backend, string> = { gemini: 'Gemini API', vertex: 'Vertex AI' };

/** The panel beside the views; in narrow windows, it covers them. */
export class SettingsPanel {
  readonly #panel: SidePanel;
  readonly #document: DocumentStore;
  readonly #model = new ModelField((model) => this.#change({ model }));
  readonly #row: ModelRow;
  readonly #backend = element('select', { id: 'backend' });
  readonly #caching = element('input', { id: 'caching', type: 'checkbox' });
  readonly #generation = new GenerationForm((generationConfig) =>
    this.#change({ generationConfig }),
  );
  /** What a shared link does not let the user change. */
  readonly #fields = element('fieldset', { className: 'settings-fields' });

  constructor(dialog: HTMLDialogElement, { document, service, core, open }: ViewContext) {
    this.#document = document;
    this.#row = new ModelRow(core, ({ thinkingLevels }) =>
      this.#generation.showLevels(thinkingLevels),
    );
    const key = new KeyField(service, () => {
      this.#panel.closeOnPhone();
      open(document.value.view, 'message');
    });
    this.#fields.append(
      ...[this.#modelFields(), this.#backendFields(), this.#cachingFields()],
      ...[this.#generation.root, new ToolForm(document, core).element],
    );
    const keyFields = element('div', { className: 'fields' }, ...key.elements);
    this.#panel = new SidePanel(dialog, 'Settings', [keyFields, this.#fields]);
    document.subscribe((_value, _previous, cause) => this.#show(cause === 'open'));
    this.#show(true);
  }

  /** Opens the panel, and focuses the field with this ID. */
  open(field = this.#model.list.id): void {
    this.#panel.open(field);
    this.#show();
  }

  toggle(): void {
    if (this.#panel.isOpen) this.#panel.close();
    else this.open();
  }

  #modelFields(): HTMLElement {
    const label = element('label', { htmlFor: this.#model.list.id }, 'Model');
    const { list, name } = this.#model;
    return element('div', { className: 'fields' }, label, list, name, this.#row.root);
  }

  #backendFields(): HTMLElement {
    for (const [value, text] of Object.entries(backends))
      this.#backend.append(element('option', { value }, text));
    this.#backend.onchange = () =>
      this.#change({ backend: this.#backend.value === 'vertex' ? 'vertex' : 'gemini' });
    const label = element('label', { htmlFor: this.#backend.id }, 'Rules of');
    const note = element('p', { className: 'note' }, backendNote);
    return element('div', { className: 'fields' }, label, this.#backend, note);
  }

  #cachingFields(): HTMLElement {
    this.#caching.onchange = () => this.#change({ caching: this.#caching.checked });
    const label = element('label', { className: 'switch' }, this.#caching, ' Explicit caching');
    const note = element('p', { className: 'note' }, cachingNote);
    return element('div', { className: 'fields' }, label, note);
  }

  #change(changes: Partial<DocumentSettings>): void {
    this.#document.update((value) => ({ ...value, settings: { ...value.settings, ...changes } }));
  }

  // `isOther`: another session was opened.
  #show(isOther = false): void {
    const { model, backend, caching, generationConfig } = this.#document.value.settings;
    this.#fields.disabled = this.#document.isReadOnly;
    this.#model.show(model, isOther);
    this.#backend.value = backend;
    this.#caching.checked = caching;
    this.#generation.show(generationConfig, isOther);
    // The core is loaded only for a panel that the user has opened.
    if (this.#panel.isOpen) void this.#row.show(model, backend);
  }
}
