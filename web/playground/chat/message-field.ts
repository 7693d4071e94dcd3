// Holds the message that is being written. The document keeps it, also while it is being sent.
import { effect, signal } from '@preact/signals';
import type { DocumentStore } from '../state/document-store.js';

const joined = (...texts: string[]) => texts.filter(Boolean).join('\n');

/** The text of the message field. */
export class MessageField {
  readonly text = signal('');
  /** The text that is being sent. It may come back. */
  #held = '';
  /** The text of the document, as this object knows it. */
  #stored = '';
  readonly #document: DocumentStore;

  constructor(document: DocumentStore) {
    this.#document = document;
    // Another session, or Undo.
    effect(() => {
      const { message = '' } = document.value;
      if (message === this.#stored) return;
      this.#stored = message;
      this.#held = '';
      this.text.value = message;
    });
  }

  write(text: string): void {
    this.text.value = text;
    const message = joined(this.#held, text);
    if (message === this.#stored) return;
    this.#stored = message;
    this.#document.update({ message });
  }

  /** Keeps a text that is being sent, until `sent` or `giveBack` is called. */
  hold(text: string): void {
    this.#held = text;
    this.write(this.text.peek());
  }

  /** The text that is being sent is now part of the conversation. */
  sent(): void {
    if (this.#held !== '') this.hold('');
  }

  /** Returns the text that could not be sent, unless another session was opened since. */
  giveBack(): void {
    const text = this.#held;
    this.#held = '';
    this.restore(text);
  }

  /** Inserts a text before what the user has written since. */
  restore(text: string): void {
    this.write(joined(text, this.text.peek()));
  }
}
