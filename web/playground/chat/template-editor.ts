// Adds completion of variable names to the text field of a template.
import { completionAt, rootOf, type Completion } from '../../ui/editor/completion.js';
import { element } from '../../ui/dom.js';

/** Completes the names of a layer's variables in a text field. */
export class TemplateEditor {
  readonly #field: HTMLTextAreaElement;
  readonly #list = element('ul', { className: 'completion', role: 'listbox', hidden: true });
  readonly #root = rootOf('static');
  #completion: Completion | undefined;
  #selected = 0;
  /** Whether the user has moved in the list. */
  #moved = false;

  constructor(field: HTMLTextAreaElement) {
    this.#field = field;
    this.#list.id = `${field.id}-completion`;
    this.#list.ariaLabel = 'Matching variables';
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-controls', this.#list.id);
    field.after(this.#list);
    field.addEventListener('input', () => this.#update());
    field.addEventListener('blur', () => this.#close());
    field.addEventListener('keydown', (event) => this.#key(event));
  }

  #update(): void {
    const { value, selectionStart, selectionEnd } = this.#field;
    this.#completion =
      selectionStart === selectionEnd ? completionAt(value, selectionStart, this.#root) : undefined;
    this.#selected = 0;
    this.#moved = false;
    this.#show();
  }

  #close(): void {
    this.#completion = undefined;
    this.#show();
  }

  #show(): void {
    const candidates = this.#completion?.candidates ?? [];
    this.#list.hidden = candidates.length === 0;
    this.#list.replaceChildren(
      ...candidates.map(({ name, detail }, index) => {
        const columns = [element('b', {}, name), element('span', {}, detail)];
        const item = element('li', { role: 'option', id: `${this.#list.id}-${index}` }, ...columns);
        item.ariaSelected = String(index === this.#selected);
        // On click, the field would already have lost the focus, which closes the list.
        item.onmousedown = (event) => {
          event.preventDefault();
          this.#accept(index);
        };
        return item;
      }),
    );
    this.#setRole(candidates.length > 0);
    const active = candidates.length > 0 ? `${this.#list.id}-${this.#selected}` : '';
    this.#field.setAttribute('aria-activedescendant', active);
    this.#list.children[this.#selected]?.scrollIntoView({ block: 'nearest' });
  }

  // A multi-line field is not a combobox, but it works as one while the list is open.
  #setRole(open: boolean): void {
    this.#field.role = open ? 'combobox' : null;
    this.#field.ariaHasPopup = open ? 'listbox' : null;
    this.#field.ariaExpanded = open ? 'true' : null;
  }

  #key(event: KeyboardEvent): void {
    const count = this.#completion?.candidates.length ?? 0;
    if (count === 0) return;
    // Tab moves to the next field unless the user has moved in the list.
    if (event.key === 'Tab' && !this.#moved) return;
    if (event.key === 'Escape') this.#close();
    else if (event.key === 'ArrowDown') this.#move(1, count);
    else if (event.key === 'ArrowUp') this.#move(count - 1, count);
    else if (event.key === 'Enter' || event.key === 'Tab') this.#accept(this.#selected);
    else return;
    event.preventDefault();
  }

  #move(by: number, count: number): void {
    this.#selected = (this.#selected + by) % count;
    this.#moved = true;
    this.#show();
  }

  #accept(index: number): void {
    const { from, candidates } = this.#completion ?? { from: 0, candidates: [] };
    const name = candidates[index]?.name;
    if (name === undefined) return;
    this.#field.setRangeText(name, from, this.#field.selectionStart, 'end');
    this.#update();
  }
}
