// Why this file exists: one answer of the model as it grows: thoughts folded, text, calls, signatures.
import { element, folded } from './dom.js';

/** An answer. It waits until something is added. */
export class AnswerView {
  readonly root = element('article', { className: 'turn model waiting' });
  #thoughts: HTMLElement | undefined;
  #text: HTMLElement | undefined;

  constructor() {
    this.root.append(element('h3', {}, 'Model'));
  }

  addThought(text: string): void {
    if (!this.#thoughts) {
      this.#thoughts = element('p', { className: 'text' });
      const fold = folded('Thoughts', this.#thoughts);
      fold.className = 'thoughts';
      this.add(fold);
    }
    this.#thoughts.append(text);
  }

  addText(text: string): void {
    if (text === '') return;
    if (!this.#text) {
      const paragraph = element('p', { className: 'text' });
      this.add(paragraph);
      this.#text = paragraph;
    }
    this.#text.append(text);
  }

  /** Puts something behind all that is there; text that follows starts anew. */
  add(node: Node): void {
    this.end();
    this.#text = undefined;
    this.root.append(node);
  }

  note(text: string): void {
    this.add(element('p', { className: 'note' }, text));
  }

  /** What came so far is not kept. */
  discard(): void {
    this.root.classList.add('discarded');
    this.note('Nothing of this answer is kept.');
  }

  /** Nothing more is waited for. */
  end(): void {
    this.root.classList.remove('waiting');
  }
}
