// Edits the generationConfig of the document by form or as JSON.
import type { Json, ThinkingLevel } from '../../../index.js';
import { textOf } from '../../../sdk/internal/json.js';
import { element, folded } from '../../../ui/dom.js';
import { fieldAt, parseFields, setField } from './generation-config.js';

interface NumberField {
  name: string;
  label: string;
  min: number;
  max?: number;
  step: string;
}

const numberFields: NumberField[] = [
  { name: 'temperature', label: 'Temperature', min: 0, max: 2, step: '0.1' },
  { name: 'topP', label: 'topP', min: 0, max: 1, step: '0.05' },
  { name: 'topK', label: 'topK', min: 1, step: '1' },
  { name: 'maxOutputTokens', label: 'maxOutputTokens', min: 1, step: '1' },
  { name: 'seed', label: 'Seed', min: 0, step: '1' },
];

const levelPath = ['thinkingConfig', 'thinkingLevel'];
const thoughtsPath = ['thinkingConfig', 'includeThoughts'];

/** The fields of the generationConfig. */
export class GenerationForm {
  readonly root: HTMLElement;
  readonly #onChange: (text: string) => void;
  readonly #inputs = new Map<string, HTMLInputElement>();
  readonly #level = element('select', { id: 'thinking-level' });
  readonly #thoughts = element('select', { id: 'include-thoughts' });
  readonly #json = element('textarea', { id: 'generation-config', rows: 6, spellcheck: false });
  readonly #problem = element('p', { className: 'bad', role: 'status' });
  #text = '';

  /** `onChange` is called with each changed text that is JSON. */
  constructor(onChange: (text: string) => void) {
    this.#onChange = onChange;
    const fields = element('div', { className: 'pairs' });
    for (const field of numberFields) fields.append(...this.#numberField(field));
    fields.append(...this.#choices());
    this.showLevels([]);
    this.#json.placeholder = '{ "temperature": 0.7 }';
    this.#json.oninput = () => this.#typed();
    const label = element('label', { htmlFor: this.#json.id }, 'The same as JSON');
    this.root = folded('generationConfig', fields, label, this.#json, this.#problem);
    this.root.className = 'group';
  }

  /** Shows a JSON text. `isOther`: it belongs to another session. */
  show(text: string, isOther = false): void {
    // What is being typed is newer, and so is what is not JSON yet.
    const isKnown = text === this.#text && !isOther;
    const isTyped = (field: HTMLElement) => isKnown && document.activeElement === field;
    if (!isTyped(this.#json) && !(isKnown && this.#isInvalid)) this.#replaceJson(text);
    this.#text = text;
    for (const [name, input] of this.#inputs) {
      const value = fieldAt(text, [name]);
      if (!isTyped(input)) input.value = typeof value === 'number' ? String(value) : '';
    }
    const level = fieldAt(text, levelPath);
    this.#level.value = textOf(level);
    const thoughts = fieldAt(text, thoughtsPath);
    this.#thoughts.value = typeof thoughts === 'boolean' ? String(thoughts) : '';
  }

  /** Offers the levels that the model takes. */
  showLevels(levels: readonly ThinkingLevel[]): void {
    const { value } = this.#level;
    const all = levels.length === 0 && value !== '' ? [value] : levels;
    const options = all.map((level) => element('option', { value: level }, level));
    this.#level.replaceChildren(element('option', { value: '' }, 'model’s default'), ...options);
    this.show(this.#text);
  }

  #numberField({ name, label, min, max, step }: NumberField): HTMLElement[] {
    const input = element('input', {
      id: `config-${name}`,
      type: 'number',
      step,
      min: String(min),
    });
    if (max !== undefined) input.max = String(max);
    input.placeholder = 'default';
    input.oninput = () => this.#set([name], input.value === '' ? undefined : Number(input.value));
    this.#inputs.set(name, input);
    return [element('label', { htmlFor: input.id }, label), input];
  }

  #choices(): HTMLElement[] {
    this.#level.onchange = () => this.#set(levelPath, this.#level.value || undefined);
    const values = [
      ['', 'playground’s default'],
      ['true', 'yes'],
      ['false', 'no'],
    ] as const;
    this.#thoughts.append(...values.map(([value, text]) => element('option', { value }, text)));
    this.#thoughts.onchange = () => {
      const { value } = this.#thoughts;
      this.#set(thoughtsPath, value === '' ? undefined : value === 'true');
    };
    return [
      element('label', { htmlFor: this.#level.id }, 'Thinking level'),
      this.#level,
      element('label', { htmlFor: this.#thoughts.id }, 'Include thoughts'),
      this.#thoughts,
    ];
  }

  #set(path: readonly string[], value: Json | undefined): void {
    this.#change(setField(this.#text, path, value));
    if (!this.#isInvalid) this.#replaceJson(this.#text);
  }

  get #isInvalid(): boolean {
    return this.#json.ariaInvalid === 'true';
  }

  #replaceJson(text: string): void {
    this.#json.value = text;
    this.#mark(true);
  }

  #mark(isObject: boolean): void {
    this.#json.ariaInvalid = String(!isObject);
    this.#problem.textContent = isObject ? '' : 'This is not a JSON object, so it is not used yet.';
  }

  #typed(): void {
    const text = this.#json.value;
    const isObject = parseFields(text) !== undefined;
    this.#mark(isObject);
    if (isObject) this.#change(text);
  }

  #change(text: string): void {
    this.#text = text;
    this.#onChange(text);
  }
}
