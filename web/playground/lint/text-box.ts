// Shows the text: first in a plain field that is there at once, then in an editor that is loaded when it is needed.
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

export class TextBox {
  readonly element = document.createElement('div');
  readonly #field = document.createElement('textarea');
  readonly #events: TextBoxEvents;
  #editor: RequestEditor | undefined;
  #loading: Promise<void> | undefined;
  /** The text before the editor is loaded. */
  #text = '';
  #marks: readonly EditorMark[] = [];
  #isSilent = false;

  constructor(events: TextBoxEvents) {
    this.#events = events;
    this.element.className = 'text-box';
    const look = { className: 'code', ariaLabel: label, placeholder: hint, spellcheck: false };
    Object.assign(this.#field, { ...look, readOnly: true, onfocus: () => void this.load() });
    this.element.addEventListener('paste', ({ clipboardData }) => {
      const pasted = clipboardData?.getData('text/plain') ?? '';
      setTimeout(() => events.onPaste(pasted));
    });
    this.element.append(this.#field);
  }

  get text(): string {
    return this.#editor?.text ?? this.#text;
  }

  get isEditable(): boolean {
    return this.#editor !== undefined;
  }

  /** Opens another text, without calling `onChange`. */
  open(text: string): void {
    this.#marks = [];
    if (this.#editor) this.#editor.open(text);
    else this.#showPlain(text);
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
  reveal(range: EditorRange): void {
    void this.load().then(() => this.#editor?.reveal(range));
  }

  /** Scrolls to an offset. The cursor stays. */
  scrollTo(offset: number): void {
    void this.load().then(() => this.#editor?.scrollTo(offset));
  }

  /** Loads the editor. If that fails, the plain field stays, and the next call tries again. */
  load(): Promise<void> {
    this.#loading ??= import('./request-editor.js').then(
      (module) => this.#show(module),
      () => void (this.#loading = undefined),
    );
    return this.#loading;
  }

  #show({ RequestEditor: Editor }: typeof import('./request-editor.js')): void {
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
    if (hadFocus) this.#editor.focus();
    this.#text = '';
  }

  // Longer texts would be laid out for seconds.
  #showPlain(text: string): void {
    this.#text = withLineFeeds(text);
    this.#field.value = this.#text.slice(0, maxPlainLength);
  }
}
