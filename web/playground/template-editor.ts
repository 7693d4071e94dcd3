// Why this file exists: a template is written in a plain text field; the names that it may read are offered
// while it is typed.
import { completionAt, rootOf, type Completion } from './completion.js';
import { element } from './dom.js';

/** A text field with completion from the shapes of a layer's variables. */
export class TemplateEditor {
  readonly #field: HTMLTextAreaElement;
  readonly #list = element('ul', { className: 'completion', role: 'listbox', hidden: true });
  readonly #root = rootOf('static');
  #completion: Completion | undefined;
  #chosen = 0;
  /** Whether the user chose, or the first is only offered. */
  #moved = false;

  constructor(field: HTMLTextAreaElement) {
    this.#field = field;
    this.#list.id = `${field.id}-completion`;
    this.#list.ariaLabel = 'Variables that fit';
    field.setAttribute('aria-autocomplete', 'list');
    field.setAttribute('aria-controls', this.#list.id);
    field.after(this.#list);
    field.addEventListener('input', () => this.#offer());
    field.addEventListener('blur', () => this.#close());
    field.addEventListener('keydown', (event) => this.#key(event));
  }

  #offer(): void {
    const { value, selectionStart, selectionEnd } = this.#field;
    this.#completion =
      selectionStart === selectionEnd ? completionAt(value, selectionStart, this.#root) : undefined;
    this.#chosen = 0;
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
        const words = [element('b', {}, name), element('span', {}, detail)];
        const item = element('li', { role: 'option', id: `${this.#list.id}-${index}` }, ...words);
        item.ariaSelected = String(index === this.#chosen);
        // The field would lose the focus, and with it the list, before a click.
        item.onmousedown = (event) => {
          event.preventDefault();
          this.#accept(index);
        };
        return item;
      }),
    );
    this.#tellState(candidates.length > 0);
    const active = candidates.length > 0 ? `${this.#list.id}-${this.#chosen}` : '';
    this.#field.setAttribute('aria-activedescendant', active);
    this.#list.children[this.#chosen]?.scrollIntoView({ block: 'nearest' });
  }

  // Several lines of text are no combobox, but while names are offered the field works as one.
  #tellState(open: boolean): void {
    this.#field.role = open ? 'combobox' : null;
    this.#field.ariaHasPopup = open ? 'listbox' : null;
    this.#field.ariaExpanded = open ? 'true' : null;
  }

  #key(event: KeyboardEvent): void {
    const count = this.#completion?.candidates.length ?? 0;
    if (count === 0) return;
    // Who has not moved in the list may be on the way to the next field.
    if (event.key === 'Tab' && !this.#moved) return;
    if (event.key === 'Escape') this.#close();
    else if (event.key === 'ArrowDown') this.#move(1, count);
    else if (event.key === 'ArrowUp') this.#move(count - 1, count);
    else if (event.key === 'Enter' || event.key === 'Tab') this.#accept(this.#chosen);
    else return;
    event.preventDefault();
  }

  #move(by: number, count: number): void {
    this.#chosen = (this.#chosen + by) % count;
    this.#moved = true;
    this.#show();
  }

  #accept(index: number): void {
    const { from, candidates } = this.#completion ?? { from: 0, candidates: [] };
    const name = candidates[index]?.name;
    if (name === undefined) return;
    this.#field.setRangeText(name, from, this.#field.selectionStart, 'end');
    this.#offer();
  }
}
