// Selects the model: one of a list, or any other name.
import { defaultModel } from '../../state/playground-document.js';
import { element } from '../../../ui/dom.js';

/** The models in the list. Any other name can be typed. */
export const listedModels = [
  defaultModel,
  'gemini-4-argon',
  'gemini-3.5-flash-lite',
  'gemini-3.1-pro-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
];

const other = 'Another model';

/** A list of models, and a text field for another name. */
export class ModelField {
  readonly list = element('select', { id: 'model' });
  readonly name = element('input', { id: 'model-name', spellcheck: false, autocomplete: 'off' });
  readonly #onChange: (model: string) => void;
  #shown = '';

  /** `onChange` is called with each model that the user selects or types. */
  constructor(onChange: (model: string) => void) {
    this.#onChange = onChange;
    const options = [...listedModels, other].map((text) => element('option', {}, text));
    this.list.append(...options);
    this.name.ariaLabel = 'Name of the model';
    this.name.placeholder = 'gemini-…';
    this.list.onchange = () => this.#selected();
    this.name.onchange = () => this.#typed();
  }

  /** Shows a model. A name that is being typed stays, unless the model changes or is that of another session. */
  show(model: string, isOther = false): void {
    if (model === this.#shown && !isOther) return;
    this.#shown = model;
    const isListed = listedModels.includes(model);
    this.list.value = isListed ? model : other;
    // The browser reports what was typed in a field that it hides.
    this.name.value = isListed ? '' : model;
    this.name.hidden = isListed;
  }

  #selected(): void {
    const isOther = this.list.value === other;
    this.name.hidden = !isOther;
    if (!isOther) return this.#onChange(this.list.value);
    this.name.value = '';
    this.name.focus();
  }

  #typed(): void {
    const model = this.name.value.trim().replace(/^models\//, '');
    if (model !== '') this.#onChange(model);
  }
}
