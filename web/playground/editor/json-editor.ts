// Creates an editor for JSON. It is a module of its own, so that pages import it only when it is needed.
import { json } from '@codemirror/lang-json';
import { CodeEditor, type EditorOptions } from './code-editor.js';

/** Creates an editor that highlights JSON. */
export const createJsonEditor = (options: EditorOptions): CodeEditor =>
  new CodeEditor({ ...options, extensions: [json(), options.extensions ?? []] });
