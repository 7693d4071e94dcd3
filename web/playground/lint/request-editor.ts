// The editor of Lint: JSON with folded base64, and what repairs changed as a unified difference. Loaded when it is needed.
import { codeFolding, foldEffect } from '@codemirror/language';
import { EditorState, StateEffect, StateField, type Range } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import { CodeEditor, type EditorOptions } from '../../ui/editor/code-editor.js';
import { highlightedJson } from '../../ui/editor/json-editor.js';
import { amount } from '../../ui/format.js';
import type { TextEdit } from '../engine/lint-result.js';

const base64 = /[A-Za-z0-9+/_-]{1000,}={0,2}/g;
/** How many characters of base64 stay in sight, so that one sees what it is. */
const shownStart = 24;
/** The longest removed text that is shown. */
const shownRemoved = 2000;

function foldsIn(text: string, offset: number): StateEffect<{ from: number; to: number }>[] {
  return [...text.matchAll(base64)].map(({ 0: { length }, index }) =>
    foldEffect.of({ from: offset + index + shownStart, to: offset + index + length }),
  );
}

// Folds base64 of texts that are pasted or opened. Who opens a fold and types there keeps it open.
const foldInserted = EditorState.transactionExtender.of(({ changes, docChanged }) => {
  if (!docChanged) return null;
  const effects: StateEffect<unknown>[] = [];
  changes.iterChanges((_fromA, _toA, from, _toB, inserted) => {
    if (inserted.length >= 1000) effects.push(...foldsIn(inserted.toString(), from));
  });
  return effects.length > 0 ? { effects } : null;
});

const folding = [
  codeFolding({
    preparePlaceholder: (_state, { from, to }) => amount(to - from, 'character'),
    placeholderDOM: (_view, onclick, text: string) => {
      const button = document.createElement('button');
      Object.assign(button, { className: 'cm-folded', textContent: `… ${text}`, onclick });
      button.title = 'Show all characters';
      return button;
    },
  }),
  foldInserted,
];

/** What a repair removed, in front of what it inserted. */
class RemovedText extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: RemovedText): boolean {
    return other.#text === this.#text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('del');
    element.className = 'cm-removed';
    const { length } = this.#text;
    const rest = length > shownRemoved ? `… (${amount(length, 'character')})` : '';
    element.textContent = this.#text.slice(0, shownRemoved) + rest;
    return element;
  }
}

const setChanges = StateEffect.define<readonly TextEdit[]>();
const inserted = Decoration.mark({ tagName: 'ins', class: 'cm-inserted' });

function decorationsOf({ from, to, text }: TextEdit): Range<Decoration>[] {
  const removed = Decoration.widget({ widget: new RemovedText(text), side: -1 });
  return [
    ...(text === '' ? [] : [removed.range(from)]),
    ...(from === to ? [] : [inserted.range(from, to)]),
  ];
}

const changes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    const set = transaction.effects.findLast((effect) => effect.is(setChanges));
    if (set) return Decoration.set(set.value.flatMap(decorationsOf), true);
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class RequestEditor extends CodeEditor {
  constructor(options: EditorOptions) {
    super({
      ...options,
      extensions: (text) => [highlightedJson(text), folding, changes],
    });
    this.#foldAll();
  }

  override open(text: string): void {
    super.open(text);
    this.#foldAll();
  }

  /** Shows these changes, whose `text` is what stood there before. */
  setChanges(edits: readonly TextEdit[]): void {
    const { length } = this.view.state.doc;
    const known = edits.filter(({ to }) => to <= length);
    this.view.dispatch({ effects: setChanges.of(known) });
  }

  #foldAll(): void {
    const effects = foldsIn(this.text, 0);
    if (effects.length > 0) this.view.dispatch({ effects });
  }
}
