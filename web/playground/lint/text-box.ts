// Shows the text: first in a plain field, so that the page is quick, then in an editor that is loaded later.
import type { EditorMark, EditorRange } from '../../ui/editor/code-editor.js';
import { withLineFeeds } from '../../ui/editor/text.js';
import { maxPlainLength, maxTextLength, type TextEdit } from '../engine/lint-result.js';
import type { RequestEditor } from './request-editor.js';

const label = 'Request to lint';
const hint =
  'Paste what you send to the Gemini API, or its error message: JSON, cURL, fetch, Python, a HAR file, JSON Lines.';

export interface TextBoxEvents {
  /** Called after each change by the user. */
  onChange: () => void;
  /** Called after the user pasted, in addition to `onChange`, with the pasted text. */
  onPaste: (pasted: string) => void;
  /** Called instead of a change that would make the text longer than the page can take. */
  onRefused: (length: number) => void;
}

/** The text and its marks. */
export class TextBox {
  readonly element = document.createElement('div');
  readonly #field = document.createElement('textarea');
  readonly #events: TextBoxEvents;
  #editor: RequestEditor | undefined;
  #loading: Promise<void> | undefined;
  // The text before the editor is loaded. The field shows only short texts.
  #text = '';
  #marks: readonly EditorMark[] = [];
  #isComposing = false;
  #isSilent = false;

  constructor(events: TextBoxEvents) {
    this.#events = events;
    this.element.className = 'text-box';
    Object.assign(this.#field, {
      ...{ className: 'code', ariaLabel: label, placeholder: hint, spellcheck: false },
    });
    this.#field.oninput = () => {
      this.#text = this.#field.value;
      events.onChange();
    };
    this.#field.addEventListener('compositionstart', () => (this.#isComposing = true));
    this.#field.addEventListener('compositionend', () => (this.#isComposing = false));
    this.#field.onfocus = () => void this.load();
    this.#field.onpaste = (event) => this.#pastedIntoField(event);
    this.element.addEventListener('paste', ({ clipboardData }) => {
      const pasted = clipboardData?.getData('text/plain') ?? '';
      setTimeout(() => events.onPaste(pasted));
    });
    this.element.append(this.#field);
  }

  get text(): string {
    return this.#editor?.text ?? this.#text;
  }

  /** Opens another text, without calling `onChange`. */
  open(text: string): void {
    this.#marks = [];
    if (this.#editor) return this.#editor.open(text);
    this.#showPlain(text);
  }

  /** Changes the text, without calling `onChange`. */
  replace(text: string, options?: { isUndoable?: boolean }): void {
    if (!this.#editor) return this.#showPlain(text);
    this.#isSilent = true;
    this.#editor.replace(text, options);
    this.#isSilent = false;
  }

  setMarks(marks: readonly EditorMark[]): void {
    this.#marks = marks;
    this.#editor?.setMarks(marks);
  }

  /** Shows what was inserted, and what stood there: `text` of these edits is the text before. */
  setChanges(changes: readonly TextEdit[]): void {
    void this.load().then(() => this.#editor?.setChanges(changes));
  }

  /** Selects a range in the editor, scrolls to it, and focuses the editor. */
  async reveal(range: EditorRange): Promise<void> {
    await this.load();
    this.#editor?.reveal(range);
  }

  /** Scrolls to an offset. The cursor stays. */
  async scrollTo(offset: number): Promise<void> {
    await this.load();
    this.#editor?.scrollTo(offset);
  }

  async focus(): Promise<void> {
    await this.load();
    this.#editor?.focus();
  }

  /** Takes the newest change back, as Ctrl+Z in the editor does. */
  undo(): void {
    this.#editor?.undo();
  }

  /** Loads the editor. If that fails, the plain field stays. */
  load(): Promise<void> {
    this.#loading ??= import('./request-editor.js').then(
      async (module) => {
        await this.#untilComposed();
        this.#show(module);
      },
      () => {
        this.#loading = undefined;
        this.#field.value = this.#text;
        this.#field.readOnly = false;
      },
    );
    return this.#loading;
  }

  #show({ RequestEditor: Editor }: typeof import('./request-editor.js')): void {
    const { selectionStart, selectionEnd } = this.#field;
    const hadFocus = document.activeElement === this.#field;
    this.#editor = new Editor({
      label,
      placeholder: hint,
      text: this.#text,
      maxLength: maxTextLength,
      onRefused: (length) => this.#events.onRefused(length),
      onChange: () => this.#isSilent || this.#events.onChange(),
    });
    this.#editor.setMarks(this.#marks);
    this.element.replaceChildren(this.#editor.element);
    if (hadFocus) this.#editor.reveal({ from: selectionStart, to: selectionEnd });
    this.#text = '';
  }

  #showPlain(text: string): void {
    this.#text = withLineFeeds(text);
    const isShort = text.length <= maxPlainLength;
    this.#field.value = isShort ? this.#text : 'Loading the editor for this long text.';
    this.#field.readOnly = !isShort;
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
