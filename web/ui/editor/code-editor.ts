// Wraps CodeMirror: one text with marks, positions and an accessible name. Tab leaves the editor.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { EditorSelection, EditorState, Transaction, type Extension } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { withLineFeeds, differenceOf } from './text.js';
import { pageTheme } from './theme.js';

/** A half-open range of UTF-16 offsets. */
export interface EditorRange {
  from: number;
  to: number;
}

/** A range that is underlined and marked in the gutter. An empty range marks the character there. */
export interface EditorMark extends EditorRange {
  severity: 'error' | 'warning' | 'info';
  message: string;
  /** Shown before the message: the code of a rule or an error. */
  code?: string;
  /** What can be done about it, as buttons of its tooltip. */
  actions?: readonly { name: string; run: () => void }[];
}

export interface EditorOptions {
  /** The accessible name. */
  label: string;
  text?: string;
  placeholder?: string;
  /** Returns the language, completion, or further key bindings for a text, which precede those of the editor. */
  extensions?: (text: string) => Extension;
  /** The largest number of UTF-16 units. A change that would exceed it is refused. */
  maxLength?: number;
  onRefused?: (length: number) => void;
  /** Called after each change by the user, and after each change by `replace`. */
  onChange?: () => void;
}

// Without a binding of Tab, it leaves the editor. Ctrl+] and Ctrl+[ indent.
const keys = keymap.of([...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]);

function limited({ maxLength, onRefused }: EditorOptions): Extension {
  if (maxLength === undefined) return [];
  return EditorState.changeFilter.of(({ newDoc, docChanged }) => {
    if (!docChanged || newDoc.length <= maxLength) return true;
    onRefused?.(newDoc.length);
    return false;
  });
}

function asDiagnostic(
  { from, to, severity, message, code, actions = [] }: EditorMark,
  length: number,
): Diagnostic {
  const start = Math.min(from, length);
  return {
    from: start,
    to: Math.min(Math.max(to, start), length),
    severity,
    message: code === undefined ? message : `${code}: ${message}`,
    actions: actions.map(({ name, run }) => ({ name, apply: () => run() })),
  };
}

/** An editor for code. `element` is placed by the caller, whose style sheet gives it a height. */
export class CodeEditor {
  readonly view: EditorView;
  readonly #options: EditorOptions;

  constructor(options: EditorOptions) {
    this.#options = options;
    this.view = new EditorView({ state: this.#stateWith(options.text ?? '') });
  }

  get element(): HTMLElement {
    return this.view.dom;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /**
   * Replaces what differs from `text`, so that the cursor and the marks of the rest stay where they are. Where a selected
   * text is replaced, the cursor stands after it, as after a paste: the next key must not delete it.
   */
  replace(text: string, { isUndoable = true }: { isUndoable?: boolean } = {}): void {
    const change = differenceOf(this.text, withLineFeeds(text));
    if (!change) return;
    const { from, to, empty } = this.view.state.selection.main;
    const isSelected = !empty && from <= change.from && to >= change.to;
    const end = to + change.insert.length - (change.to - change.from);
    this.view.dispatch({
      changes: change,
      ...(isSelected ? { selection: { anchor: end } } : {}),
      annotations: Transaction.addToHistory.of(isUndoable),
      filter: false,
    });
  }

  /** Opens another text. Its history of changes starts empty, and `onChange` is not called. */
  open(text: string): void {
    this.view.setState(this.#stateWith(text));
  }

  /** Underlines ranges, and marks their lines in the gutter. */
  setMarks(marks: readonly EditorMark[]): void {
    const { state } = this.view;
    const { length } = state.doc;
    this.view.dispatch(
      setDiagnostics(
        state,
        marks.map((mark) => asDiagnostic(mark, length)),
      ),
    );
  }

  /** Selects a range, with the cursor at its start, scrolls to it, and focuses the editor. */
  reveal({ from, to }: EditorRange): void {
    const { length } = this.view.state.doc;
    const start = Math.min(from, length);
    const end = Math.min(Math.max(to, start), length);
    this.view.dispatch({
      selection: EditorSelection.single(end, start),
      effects: EditorView.scrollIntoView(start, { y: 'center' }),
    });
    this.view.focus();
  }

  /** Scrolls to an offset. The cursor stays where it is. */
  scrollTo(offset: number): void {
    const place = Math.min(offset, this.view.state.doc.length);
    this.view.dispatch({ effects: EditorView.scrollIntoView(place, { y: 'center' }) });
  }

  focus(): void {
    this.view.focus();
  }

  /** Ends the editor and removes its element. */
  destroy(): void {
    this.view.destroy();
  }

  #stateWith(text: string): EditorState {
    const doc = withLineFeeds(text);
    const { label, placeholder: hint, extensions, onChange } = this.#options;
    const attributes = { 'aria-label': label, tabindex: '0', spellcheck: 'false' };
    const asTyped = { autocapitalize: 'off', autocorrect: 'off' };
    return EditorState.create({
      doc,
      extensions: [
        extensions?.(doc) ?? [],
        [lineNumbers(), lintGutter(), highlightActiveLineGutter()],
        hint === undefined ? [] : placeholder(hint),
        [history(), search({ top: true }), bracketMatching(), highlightActiveLine()],
        // Characters that change the direction of the text are shown as marks: a request is a matter of bytes.
        highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2068]/g }),
        [EditorView.lineWrapping, keys, pageTheme],
        EditorView.contentAttributes.of({ ...attributes, ...asTyped }),
        limited(this.#options),
        EditorView.updateListener.of(({ docChanged }) => {
          if (docChanged) onChange?.();
        }),
      ],
    });
  }
}
