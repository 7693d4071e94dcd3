// Shows a panel beside the views; in narrow windows, it covers them as a modal dialog.
import { button, element } from '../../ui/dom.js';

const narrow = '(max-width: 62rem)';

/** A dialog with a heading and a Close button. */
export class SidePanel {
  readonly #dialog: HTMLDialogElement;
  #opener: Element | null = null;

  constructor(dialog: HTMLDialogElement, title: string, content: Node[]) {
    this.#dialog = dialog;
    const head = element('div', { className: 'side-head' }, element('h2', {}, title));
    head.append(button('Close', () => this.close()));
    dialog.append(head, ...content);
    // A dialog beside the views does not close by itself on Escape.
    dialog.onkeydown = (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) this.close();
    };
  }

  get isOpen(): boolean {
    return this.#dialog.open;
  }

  /** Opens the panel and focuses the field with this ID, or its first field. */
  open(field?: string): void {
    if (!this.#dialog.open) {
      this.#opener = document.activeElement;
      if (matchMedia(narrow).matches) this.#dialog.showModal();
      else this.#dialog.show();
    }
    const id = field === undefined ? undefined : `#${CSS.escape(field)}`;
    this.#dialog.querySelector<HTMLElement>(id ?? 'input, select, textarea')?.focus();
  }

  /** Closes the panel and returns the focus to where it was. */
  close(): void {
    if (!this.#dialog.open) return;
    this.#dialog.close();
    if (this.#opener instanceof HTMLElement) this.#opener.focus();
  }

  /** Closes the panel if it covers the views. */
  closeOnPhone(): void {
    if (matchMedia(narrow).matches) this.close();
  }
}
