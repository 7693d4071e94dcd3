// Shows a modal dialog that is filled each time it opens.
import { button, closeBeside, element } from './dom.js';

/** A dialog with a heading and a Close button. The browser returns the focus when it closes. */
export class Modal {
  readonly #dialog = element('dialog', { className: 'modal' });
  readonly #content = element('div', { className: 'modal-content' });
  readonly #fill: () => Node[];

  /** `fill` returns the content. */
  constructor(title: string, fill: () => Node[]) {
    this.#fill = fill;
    this.#dialog.ariaLabel = title;
    const head = element('div', { className: 'side-head' }, element('h2', {}, title));
    head.append(button('Close', () => this.close()));
    this.#dialog.append(head, this.#content);
    closeBeside(this.#dialog, () => this.close());
  }

  open(): void {
    if (!this.#dialog.isConnected) document.body.append(this.#dialog);
    this.refill();
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  close(): void {
    this.#dialog.close();
  }

  /** Shows the current content. */
  refill(): void {
    this.#content.replaceChildren(...this.#fill());
  }
}
