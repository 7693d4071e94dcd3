// Wraps the message field. The document keeps what is not sent yet, also while it is being sent.
import type { DocumentStore } from '../state/document-store.js';

const joined = (...texts: string[]) => texts.filter(Boolean).join('\n');

/** The field for the message. */
export class MessageBox {
  readonly #field: HTMLTextAreaElement;
  readonly #document: DocumentStore;
  /** The text that is being sent. It may come back. */
  #held = '';
  /** The text of the document, as this object knows it. */
  #stored = '';

  /** `send` is called on Ctrl+Enter or Cmd+Enter. */
  constructor(field: HTMLTextAreaElement, document: DocumentStore, send: () => void) {
    this.#field = field;
    this.#document = document;
    field.onkeydown = (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      send();
    };
    field.oninput = () => this.#store();
    document.beforeLeaving(() => this.#store());
    document.subscribe((value, _previous, cause) => this.#show(value.message, cause === 'open'));
    this.#show(document.value.message, true);
  }

  focus(): void {
    this.#field.focus();
  }

  /** Returns the text and clears the field; '' if there is only whitespace. Call `hold` with the text next. */
  take(): string {
    const text = this.#field.value;
    if (text.trim() === '') return '';
    this.#field.value = '';
    return text;
  }

  /** Keeps a text that is being sent, until `sent` or `giveBack` is called. */
  hold(text: string): void {
    this.#held = text;
    this.#store();
  }

  /** The text that is being sent is now part of the conversation. */
  sent(): void {
    if (this.#held !== '') this.hold('');
  }

  /** Returns the text that could not be sent to the field, unless another session was opened since. */
  giveBack(): void {
    const text = this.#held;
    this.#held = '';
    this.restore(text);
  }

  /** Inserts a text before what the user has typed since. Returns a function that reverts this. */
  restore(text: string): () => void {
    const typed = this.#field.value;
    const filled = joined(text, typed);
    this.#fill(filled);
    return () => {
      // Keeps later changes of the user.
      if (this.#field.value === filled) this.#fill(typed);
    };
  }

  #fill(text: string): void {
    this.#field.value = text;
    this.#store();
  }

  #show(message = '', isOther: boolean): void {
    if (message === this.#stored && !isOther) return;
    this.#stored = message;
    this.#held = '';
    this.#field.value = message;
  }

  #store(): void {
    const message = joined(this.#held, this.#field.value);
    if (message === this.#stored) return;
    this.#stored = message;
    this.#document.update((value) => ({ ...value, message }));
  }
}
