// Keeps what a change put aside until a message enters the new conversation, and offers to undo the change.
import { button, element } from './dom.js';

/** One offer at a time. */
export class UndoOffer {
  readonly #text = element('p');
  readonly #button: HTMLButtonElement;
  readonly #root: HTMLElement;
  #bringBack: (() => void) | undefined;

  /** `mayUndo` says whether the button works now. */
  constructor(mayUndo: () => boolean) {
    this.#button = button('Undo', () => {
      if (mayUndo()) this.#undo();
    });
    this.#root = element('div', { className: 'undo' }, this.#text, this.#button);
  }

  /** Keeps something: `bringBack` restores it. What was kept before is dropped. */
  keep(bringBack: () => void): void {
    this.#bringBack = bringBack;
  }

  /** The notice for the reader; undefined where nothing is kept. */
  notice(change: string): HTMLElement | undefined {
    if (!this.#bringBack) return undefined;
    this.#text.textContent = `${change}. The previous one is kept until you send a message.`;
    return this.#root;
  }

  /** Gives up what was kept. */
  drop(): void {
    this.#bringBack = undefined;
    this.#root.remove();
  }

  #undo(): void {
    const bringBack = this.#bringBack;
    this.drop();
    bringBack?.();
  }
}
