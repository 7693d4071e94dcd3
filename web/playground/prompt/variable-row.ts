// Edits one variable: a text, or any JSON value as it is written.
import { isJson } from '../../sdk/internal/json-text.js';
import { button, element } from '../../ui/dom.js';

/** A variable of the form. `json` is the text of its value; undefined if it has none. */
export interface FormVariable {
  name: string;
  json: string | undefined;
  /** Which templates read it; '' if none does. */
  readBy: string;
}

export interface RowActions {
  /** Sets the value, as JSON text. */
  set: (name: string, json: string) => void;
  remove: (name: string) => void;
}

const isText = (json: string | undefined) => json === undefined || json.startsWith('"');

/** A row of the form. */
export class VariableRow {
  readonly name: string;
  readonly element: HTMLElement;
  readonly #value = element('textarea', { rows: 1, spellcheck: false });
  readonly #kind = element('select');
  readonly #remove: HTMLButtonElement;
  readonly #note = element('small');
  readonly #actions: RowActions;
  #json: string | undefined;

  constructor({ name }: FormVariable, actions: RowActions) {
    this.name = name;
    this.#actions = actions;
    this.#value.id = `variable-${name}`;
    this.#value.oninput = () => this.#edited();
    this.#kind.append(new Option('Text', 'text'), new Option('JSON', 'json'));
    this.#kind.ariaLabel = `Kind of ${name}`;
    this.#kind.onchange = () => this.#kindChanged();
    this.#remove = button('Remove', () => actions.remove(name));
    this.#remove.ariaLabel = `Remove ${name}`;
    const label = element('label', { htmlFor: this.#value.id }, element('code', {}, name));
    const head = element('div', { className: 'variable-head' }, label, this.#note, this.#kind);
    head.append(this.#remove);
    this.element = element('div', { className: 'variable' }, head, this.#value);
  }

  /** Shows the value of the document. A field that the user is writing in keeps its text. */
  show({ json, readBy }: FormVariable, isReadOnly: boolean): void {
    const isNew = json !== this.#json || this.#value.value === '';
    this.#json = json;
    const isMine = document.activeElement === this.#value && this.#jsonOf() === json;
    if (isNew && !isMine) this.#fill();
    this.#note.textContent = json === undefined ? `not set, ${readBy}` : readBy;
    this.#value.readOnly = isReadOnly;
    this.#kind.disabled = isReadOnly;
    this.#remove.hidden = json === undefined;
    this.#remove.disabled = isReadOnly;
  }

  #fill(): void {
    const json = this.#json;
    this.#kind.value = isText(json) ? 'text' : 'json';
    this.#value.value = json === undefined ? '' : isText(json) ? JSON.parse(json) : json;
    this.#value.rows = Math.min(8, this.#value.value.split('\n').length);
    this.#setInvalid(false);
  }

  // Returns the JSON text that the field stands for; undefined if it is not JSON.
  #jsonOf(): string | undefined {
    const { value } = this.#value;
    if (this.#kind.value === 'text') return JSON.stringify(value);
    return isJson(value) ? value : undefined;
  }

  #edited(): void {
    const json = this.#jsonOf();
    this.#setInvalid(json === undefined);
    if (json === undefined) return;
    this.#json = json;
    this.#actions.set(this.name, json);
  }

  #kindChanged(): void {
    const { value } = this.#value;
    // The text of a value stays the same where it can: 9.5 becomes "9.5", and the other way round.
    if (this.#kind.value === 'json' && !isJson(value)) this.#value.value = JSON.stringify(value);
    this.#edited();
  }

  #setInvalid(isInvalid: boolean): void {
    this.#value.ariaInvalid = String(isInvalid);
    this.#value.title = isInvalid ? 'This is not JSON, so the value before it is used.' : '';
  }
}
