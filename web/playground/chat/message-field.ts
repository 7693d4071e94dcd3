// Holds the message that is being written. The document keeps it, also while it is being sent.
import { computed, signal } from '@preact/signals';
import type { DocumentStore } from '../state/document-store.js';

const joined = (...texts: string[]) => texts.filter(Boolean).join('\n');

/** The text of the message field: that of the document without what is being sent. */
export class MessageField {
  readonly #document: DocumentStore;
  /** The text that is being sent. It stands before the others in the document, because it may come back. */
  readonly #held = signal('');
  readonly text = computed(() => {
    const { message = '' } = this.#document.value;
    const held = this.#held.value;
    const isHeld = held !== '' && message.startsWith(held);
    return isHeld ? message.slice(held.length).replace(/^\n/, '') : message;
  });

  constructor(document: DocumentStore) {
    this.#document = document;
  }

  write(text: string): void {
    const message = joined(this.#held.peek(), text);
    if (message !== (this.#document.value.message ?? '')) this.#document.update({ message });
  }

  /** Keeps a text that is being sent, until `sent` or `giveBack` is called. */
  hold(text: string): void {
    const written = this.text.peek();
    this.#held.value = text;
    this.write(written);
  }

  /** The text that is being sent is now part of the conversation. */
  sent(): void {
    if (this.#held.peek() !== '') this.hold('');
  }

  /** Returns the text that could not be sent. */
  giveBack(): void {
    this.#held.value = '';
  }

  /** Inserts a text before what the user has written since. */
  restore(text: string): void {
    this.write(joined(text, this.text.peek()));
  }
}
