// Shows one answer of the model while it streams: collapsed thoughts, text, calls and signatures.
import { element, folded } from '../dom.js';

/** An answer. It is shown as waiting until something is added. */
export class AnswerView {
  readonly root = element('article', { className: 'turn model waiting' });
  #thoughts: HTMLElement | undefined;
  #text: HTMLElement | undefined;

  constructor() {
    this.root.append(element('h3', {}, 'Model'));
  }

  /** Appends to the collapsed thoughts. */
  addThought(text: string): void {
    if (!this.#thoughts) {
      this.#thoughts = element('p', { className: 'text' });
      const details = folded('Thoughts', this.#thoughts);
      details.className = 'thoughts';
      this.add(details);
    }
    this.#thoughts.append(text);
  }

  /** Appends to the current paragraph, or starts one. */
  addText(text: string): void {
    if (text === '') return;
    if (!this.#text) {
      const paragraph = element('p', { className: 'text' });
      this.add(paragraph);
      this.#text = paragraph;
    }
    this.#text.append(text);
  }

  /** Appends a node. Later text starts a new paragraph. */
  add(node: Node): void {
    this.end();
    this.#text = undefined;
    this.root.append(node);
  }

  /** Appends a note. */
  note(text: string): void {
    this.add(element('p', { className: 'note' }, text));
  }

  /** Marks the answer as discarded. */
  discard(): void {
    this.root.classList.add('discarded');
    this.note('This answer was discarded.');
  }

  /** Ends the waiting state. */
  end(): void {
    this.root.classList.remove('waiting');
  }
}
