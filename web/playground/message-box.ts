// The field in which a message is written. A text that could not be sent comes back into it.
import { byId } from './dom.js';

/** The message that is being written. */
export class MessageBox {
  readonly #field = byId('instruction', HTMLTextAreaElement);

  /** `send` is called when the user sends by key. */
  constructor(send: () => void) {
    this.#field.onkeydown = (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      send();
    };
  }

  focus(): void {
    this.#field.focus();
  }

  /** Takes the text out to send it; '' where there is nothing but blanks. */
  take(): string {
    const text = this.#field.value;
    if (text.trim() === '') return '';
    this.#field.value = '';
    return text;
  }

  /** Puts a text back, before what was typed in the meantime. The function that it returns reverts that. */
  giveBack(text: string): () => void {
    const typed = this.#field.value;
    const filled = [text, typed].filter(Boolean).join('\n');
    this.#field.value = filled;
    return () => {
      // Whatever the user changed since then stays.
      if (this.#field.value === filled) this.#field.value = typed;
    };
  }
}
