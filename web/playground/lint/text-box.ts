// Shows the text: first in a plain field, so that the page is quick, then in an editor that is loaded later.
import type { CodeEditor, EditorMark, EditorRange } from '../../ui/editor/code-editor.js';
import { withLineFeeds } from '../../ui/editor/line-feeds.js';
import { element } from '../../ui/dom.js';
import { maxPlainLength, maxTextLength } from '../engine/limits.js';

const label = 'Request to lint';
const hint = 'Paste a request body, a cURL command, a HAR file, JSON Lines or OpenAI messages.';

export interface TextBoxEvents {
  /** Called after each change by the user. */
  onChange: () => void;
  /** Called after the user pasted, in addition to `onChange`. */
  onPaste: () => void;
  /** Called instead of a change that would make the text longer than the page can take. */
  onRefused: (length: number) => void;
}

/** The text and its marks. */
export class TextBox {
  readonly element = element('div', { className: 'text-box' });
  readonly #field = element('textarea', { ariaLabel: label, placeholder: hint, spellcheck: false });
  readonly #events: TextBoxEvents;
  #editor: CodeEditor | undefined;
  #loading: Promise<void> | undefined;
  // The text before the editor is loaded. The field shows only short texts.
  #text = '';
  #marks: readonly EditorMark[] = [];
  #isReadOnly = false;
  #isComposing = false;
  #isSilent = false;

  constructor(events: TextBoxEvents) {
    this.#events = events;
    this.#field.oninput = () => {
      this.#text = this.#field.value;
      events.onChange();
    };
    this.#field.addEventListener('compositionstart', () => (this.#isComposing = true));
    this.#field.addEventListener('compositionend', () => (this.#isComposing = false));
    this.#field.onfocus = () => void this.load();
    this.#field.onpaste = (event) => this.#pastedIntoField(event);
    this.element.addEventListener('paste', () => setTimeout(events.onPaste));
    this.element.append(this.#field);
  }

  get text(): string {
    return this.#editor?.text ?? this.#text;
  }

  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  /** Opens another text, without calling `onChange`. */
  open(text: string): void {
    this.#marks = [];
    if (this.#editor) return this.#editor.open(text);
    this.#showPlain(text);
  }

  /** Changes the text, without calling `onChange`. */
  replace(text: string, options?: { isUndoable?: boolean }): void {
    if (this.#editor) this.#silently(() => this.#editor?.replace(text, options));
    else this.#showPlain(text);
  }

  setMarks(marks: readonly EditorMark[]): void {
    this.#marks = marks;
    this.#editor?.setMarks(marks);
  }

  setReadOnly(isReadOnly: boolean): void {
    this.#isReadOnly = isReadOnly;
    this.#field.readOnly = isReadOnly;
    this.#editor?.setReadOnly(isReadOnly);
  }

  /** Selects a range in the editor and scrolls to it. */
  async reveal(range: EditorRange, options?: { focus?: boolean }): Promise<void> {
    await this.load();
    this.#editor?.reveal(range, options);
  }

  async focus(): Promise<void> {
    await this.load();
    this.#editor?.focus();
  }

  /** Loads the editor. If that fails, the plain field stays. */
  load(): Promise<void> {
    this.#loading ??= import('../../ui/editor/json-editor.js').then(
      async ({ createJsonEditor }) => {
        await this.#untilComposed();
        this.#show(createJsonEditor);
      },
      () => {
        this.#loading = undefined;
        this.#field.value = this.#text;
        this.#field.readOnly = this.#isReadOnly;
      },
    );
    return this.#loading;
  }

  #show(create: typeof import('../../ui/editor/json-editor.js').createJsonEditor): void {
    const { selectionStart, selectionEnd } = this.#field;
    const hadFocus = document.activeElement === this.#field;
    this.#editor = create({
      label,
      placeholder: hint,
      text: this.#text,
      isReadOnly: this.#isReadOnly,
      maxLength: maxTextLength,
      onRefused: (length) => this.#events.onRefused(length),
      onChange: () => this.#isSilent || this.#events.onChange(),
    });
    this.#editor.setMarks(this.#marks);
    this.element.replaceChildren(this.#editor.element);
    if (hadFocus) this.#editor.reveal({ from: selectionStart, to: selectionEnd });
    this.#text = '';
  }

  #silently(change: () => void): void {
    this.#isSilent = true;
    change();
    this.#isSilent = false;
  }

  #showPlain(text: string): void {
    this.#text = withLineFeeds(text);
    const isShort = text.length <= maxPlainLength;
    this.#field.value = isShort ? this.#text : 'Loading the editor for this long text.';
    this.#field.readOnly = this.#isReadOnly || !isShort;
    if (!isShort) void this.load();
  }

  // A long text would be laid out for seconds in the plain field.
  #pastedIntoField(event: ClipboardEvent): void {
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (pasted.length <= maxPlainLength || this.#field.readOnly) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.#field;
    const text = this.#text.slice(0, selectionStart) + pasted + this.#text.slice(selectionEnd);
    if (text.length > maxTextLength) return this.#events.onRefused(text.length);
    this.#showPlain(text);
    this.#events.onChange();
  }

  // Replacing the field would end the composition of a character.
  #untilComposed(): Promise<void> {
    if (!this.#isComposing) return Promise.resolve();
    return new Promise((resolve) =>
      this.#field.addEventListener('compositionend', () => setTimeout(resolve), { once: true }),
    );
  }
}
