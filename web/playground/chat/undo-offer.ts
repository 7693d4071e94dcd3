// Offers to undo the start of a new conversation, until it has a message.
import { button, element } from '../../ui/dom.js';

/** The offer to undo the last change. */
export class UndoOffer {
  readonly #text = element('p');
  readonly #button: HTMLButtonElement;
  readonly #root: HTMLElement;
  #restore: (() => void) | undefined;

  /** `mayUndo` returns whether undoing is possible now. */
  constructor(mayUndo: () => boolean) {
    this.#button = button('Undo', () => {
      if (mayUndo()) this.#undo();
    });
    this.#root = element('div', { className: 'undo' }, this.#text, this.#button);
  }

  /** Sets the function that undoes the change. It replaces the previous one. */
  keep(restore: () => void): void {
    this.#restore = restore;
  }

  /** Returns the notice with the button; undefined if there is nothing to undo. */
  notice(change: string): HTMLElement | undefined {
    if (!this.#restore) return undefined;
    this.#text.textContent = `${change}. The previous one is kept until you send a message.`;
    return this.#root;
  }

  /** Withdraws the offer. */
  drop(): void {
    this.#restore = undefined;
    this.#root.remove();
  }

  #undo(): void {
    const restore = this.#restore;
    this.drop();
    restore?.();
  }
}
