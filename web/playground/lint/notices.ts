// Says what the page did with the pasted text: what it removed, left out or refused.
import { amount } from '../../ui/dom.js';
import { maxHighlighted } from '../../ui/editor/limits.js';
import { maxTextLength } from '../engine/limits.js';
import { sizeWords } from '../engine/words.js';

/** Lines above the text. Each kind has at most one. */
export class Notices {
  readonly #place: HTMLElement;
  readonly #lines = new Map<string, string>();

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  /** Removes all lines, because the text is another one. */
  clear(): void {
    this.#lines.clear();
    this.#show();
  }

  /** Says that credentials were removed. */
  removed(secrets: number): void {
    const what = secrets === 1 ? '1 API key or token was' : `${secrets} API keys or tokens were`;
    this.#set('secrets', `${what} removed from what you pasted.`);
  }

  /** Says that a text is too long. */
  refused(length: number): void {
    const limit = `The page takes up to ${sizeWords(maxTextLength)}`;
    const way = 'For longer ones, run npx prompt-strata lint with the file';
    this.#set('size', `This text has ${sizeWords(length)} and was not inserted. ${limit}. ${way}.`);
  }

  /** Says whether the text was copied. */
  copied(text: string): void {
    this.#set('copy', text);
  }

  /** Forgets a refused text and a copy, because another change was accepted. */
  accepted(): void {
    this.#set('size', '');
    this.#set('copy', '');
  }

  /** Says that a long text is not highlighted. */
  sized(length: number): void {
    const isLong = length > maxHighlighted;
    this.#set(
      'long',
      isLong ? `This text has ${sizeWords(length)}: it is shown without colors.` : '',
    );
  }

  /** Says that only a part of the findings is underlined; '' if all are. */
  marked(shown: number, all: number): void {
    this.#set(
      'marks',
      shown < all ? `The first ${shown} of ${amount(all, 'finding')} are underlined.` : '',
    );
  }

  #set(kind: string, text: string): void {
    if (text === '') this.#lines.delete(kind);
    else this.#lines.set(kind, text);
    this.#show();
  }

  #show(): void {
    const text = [...this.#lines.values()].join(' ');
    if (this.#place.textContent !== text) this.#place.textContent = text;
    this.#place.hidden = text === '';
  }
}
