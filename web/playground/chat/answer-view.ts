// Shows one answer of the model while it streams: collapsed thoughts, Markdown, calls, images and signatures.
import { element, folded } from '../../ui/dom.js';
import { MarkdownView } from './markdown/markdown-view.js';

/** An answer. It is shown as waiting until something is added. */
export class AnswerView {
  readonly root = element('article', { className: 'turn model waiting' });
  #thoughts: MarkdownView | undefined;
  #text: MarkdownView | undefined;
  #footer: HTMLElement | undefined;
  #allText = '';
  #isComplete = false;

  constructor() {
    this.root.append(element('h3', {}, 'Model'));
  }

  /** The text so far, without thoughts. */
  get text(): string {
    return this.#allText;
  }

  /** Whether the answer is in the conversation. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Appends to the collapsed thoughts. */
  addThought(text: string): void {
    if (!this.#thoughts) {
      this.#thoughts = new MarkdownView();
      const details = folded('Thoughts', this.#thoughts.root);
      details.className = 'thoughts';
      this.add(details);
    }
    this.#thoughts.append(text);
  }

  /** Appends to the current text, or starts one. */
  addText(text: string): void {
    if (text === '') return;
    this.#allText += text;
    if (!this.#text) {
      const view = new MarkdownView();
      this.add(view.root);
      this.#text = view;
    }
    this.#text.append(text);
  }

  /** Appends a node. Later text starts a new block. */
  add(node: Node): void {
    this.end();
    this.#text = undefined;
    if (this.#footer) this.#footer.before(node);
    else this.root.append(node);
  }

  /** Shows a node below everything else, in place of the one before. */
  setFooter(...nodes: Node[]): void {
    this.#footer ??= this.root.appendChild(element('div', { className: 'turn-footer' }));
    this.#footer.replaceChildren(...nodes);
  }

  /** Appends a note. */
  note(text: string): void {
    this.add(element('p', { className: 'note' }, text));
  }

  /** Marks the answer as part of the conversation. */
  complete(): void {
    this.end();
    this.#isComplete = true;
  }

  /** Marks the answer as discarded: it is shown, but it is not in the conversation. */
  discard(reason = 'This answer was discarded'): void {
    this.root.classList.add('discarded');
    this.note(`${reason}. It is not part of the history and is not sent.`);
  }

  /** Ends the waiting state. */
  end(): void {
    this.#thoughts?.end();
    this.#text?.end();
    this.root.classList.remove('waiting');
  }
}
