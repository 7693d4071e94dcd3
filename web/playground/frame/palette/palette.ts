// Shows the command palette: a field that finds the actions of the page and of its views.
import { closeBeside, element } from '../../../ui/dom.js';
import { viewLabels } from '../tabs.js';
import type { ViewName } from '../../state/playground-document.js';
import type { Action, ActionList } from '../../state/action-list.js';
import { matching } from './matching.js';

/** The palette, opened with Ctrl+K or Cmd+K. */
export class Palette {
  readonly #actions: ActionList;
  readonly #openView: (view: ViewName) => void;
  readonly #prepare: () => Promise<unknown>;
  readonly #dialog = element('dialog', { className: 'modal palette', ariaLabel: 'Commands' });
  readonly #field = element('input', { id: 'command', type: 'text', role: 'combobox' });
  readonly #list = element('ul', { id: 'commands', role: 'listbox', ariaLabel: 'Commands' });
  readonly #none = element('p', { className: 'note', role: 'status' });
  #found: Action[] = [];
  #selected = 0;

  /** `prepare` loads the views that have not added their actions yet. */
  constructor(
    actions: ActionList,
    openView: (view: ViewName) => void,
    prepare: () => Promise<unknown>,
  ) {
    this.#prepare = prepare;
    this.#actions = actions;
    this.#openView = openView;
    this.#field.ariaLabel = 'Find a command';
    this.#field.placeholder = 'Find a command';
    this.#field.autocomplete = 'off';
    this.#field.spellcheck = false;
    this.#field.ariaExpanded = 'true';
    this.#field.setAttribute('aria-controls', this.#list.id);
    this.#field.oninput = () => this.#search();
    this.#field.onkeydown = (event) => this.#key(event);
    this.#dialog.append(this.#field, this.#list, this.#none);
    closeBeside(this.#dialog, () => this.#dialog.close());
    document.addEventListener('keydown', (event) => this.#shortcut(event));
  }

  open(): void {
    if (!this.#dialog.isConnected) document.body.append(this.#dialog);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#field.value = '';
    this.#search();
    this.#field.focus();
    void this.#prepare().then(() => this.#refresh());
  }

  // Adds the actions of views that have just loaded, unless the user has moved in the list.
  #refresh(): void {
    if (this.#dialog.open && this.#selected === 0) this.#search();
  }

  #shortcut(event: KeyboardEvent): void {
    const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isPalette || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (this.#dialog.open) this.#dialog.close();
    else this.open();
  }

  #search(): void {
    this.#found = matching(this.#actions.possible, this.#field.value);
    this.#selected = 0;
    this.#show();
  }

  #show(): void {
    this.#list.replaceChildren(...this.#found.map((action, index) => this.#item(action, index)));
    this.#none.textContent = this.#found.length === 0 ? 'No command matches.' : '';
    const active = this.#list.children[this.#selected];
    this.#field.setAttribute('aria-activedescendant', active?.id ?? '');
    active?.scrollIntoView({ block: 'nearest' });
  }

  #item(action: Action, index: number): HTMLElement {
    const { name, view, keys } = action;
    const item = element('li', { role: 'option', id: `command-${index}` }, name);
    const details = [view && viewLabels[view], keys].filter(Boolean).join(' · ');
    item.append(element('small', {}, details));
    item.ariaSelected = String(index === this.#selected);
    item.onclick = () => this.#run(action);
    return item;
  }

  #key(event: KeyboardEvent): void {
    const count = this.#found.length;
    if (event.key === 'Enter') this.#run(this.#found[this.#selected]);
    else if (event.key === 'ArrowDown') this.#move(1, count);
    else if (event.key === 'ArrowUp') this.#move(count - 1, count);
    else return;
    event.preventDefault();
  }

  #move(by: number, count: number): void {
    if (count > 0) this.#selected = (this.#selected + by) % count;
    this.#show();
  }

  #run(action: Action | undefined): void {
    if (!action) return;
    this.#dialog.close();
    if (action.view) this.#openView(action.view);
    action.run();
  }
}
