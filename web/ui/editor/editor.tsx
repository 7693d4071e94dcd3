// Shows a code editor as a component: its text follows `text`, its marks follow `marks`.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CodeEditor, EditorMark, EditorOptions } from './code-editor.js';

interface EditorProps {
  /** Creates the editor: `createJsonEditor`, or `(options) => new CodeEditor(options)`. Called once. */
  create: (options: EditorOptions) => CodeEditor;
  /** Those of the first drawing count, but the functions, of which the newest are called. */
  options: Omit<EditorOptions, 'text' | 'onChange'>;
  text: string;
  /** Called with the text after each change by the user. */
  onText?: (text: string) => void;
  marks?: readonly EditorMark[] | undefined;
  /** Receives the editor, so that a view can reveal a range or give it the focus. */
  opened?: (editor: CodeEditor | undefined) => void;
}

/** An editor that fills its place. */
export function Editor(props: EditorProps) {
  const { text, marks } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor>(undefined);
  const newest = useRef(props);
  newest.current = props;
  // In layout effects, the editor follows each change before the next key: later, it would put an older text back.
  useLayoutEffect(() => {
    const { create, options, opened } = newest.current;
    const created = create({
      ...options,
      text,
      onChange: () => newest.current.onText?.(created.text),
      onRefused: (length) => newest.current.options.onRefused?.(length),
    });
    editor.current = created;
    place.current?.append(created.element);
    opened?.(created);
    return () => {
      newest.current.opened?.(undefined);
      created.destroy();
    };
  }, []);
  useLayoutEffect(() => {
    if (editor.current && editor.current.text !== text) editor.current.replace(text);
  }, [text]);
  useLayoutEffect(() => editor.current?.setMarks(marks ?? []), [marks]);
  return <div class="editor" ref={place} />;
}
