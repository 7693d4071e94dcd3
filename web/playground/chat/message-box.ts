// Wraps the message field. Text that could not be sent is returned to it.

/** The field for the message. */
export class MessageBox {
  readonly #field: HTMLTextAreaElement;

  /** `send` is called on Ctrl+Enter or Cmd+Enter. */
  constructor(field: HTMLTextAreaElement, send: () => void) {
    this.#field = field;
    this.#field.onkeydown = (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      send();
    };
  }

  focus(): void {
    this.#field.focus();
  }

  /** Returns the text and clears the field; '' if there is only whitespace. */
  take(): string {
    const text = this.#field.value;
    if (text.trim() === '') return '';
    this.#field.value = '';
    return text;
  }

  /** Inserts a text before what the user has typed since. Returns a function that reverts this. */
  restore(text: string): () => void {
    const typed = this.#field.value;
    const filled = [text, typed].filter(Boolean).join('\n');
    this.#field.value = filled;
    return () => {
      // Keeps later changes of the user.
      if (this.#field.value === filled) this.#field.value = typed;
    };
  }
}
