// Creates an editor for JSON. It is a module of its own, so that pages import it only when it is needed.
import { json } from '@codemirror/lang-json';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { CodeEditor, type EditorOptions } from './code-editor.js';
import { maxHighlighted } from './text.js';

/** Returns what highlights a text as JSON while it is not too long. */
export function highlightedJson(text: string): Extension {
  const language = new Compartment();
  const isShort = (length: number) => length <= maxHighlighted;
  const languageFor = (length: number) => (isShort(length) ? json() : []);
  return [
    language.of(languageFor(text.length)),
    EditorState.transactionExtender.of(({ startState, newDoc }) =>
      isShort(startState.doc.length) === isShort(newDoc.length)
        ? null
        : { effects: language.reconfigure(languageFor(newDoc.length)) },
    ),
  ];
}

/** Creates an editor that highlights JSON. */
export const createJsonEditor = (options: EditorOptions): CodeEditor =>
  new CodeEditor({ ...options, extensions: highlightedJson });
