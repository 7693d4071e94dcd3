// Reads and completes the JSON text of the variables: the names that templates read, and the members of their values.
import { autocompletion, type CompletionContext } from '@codemirror/autocomplete';
import { jsonLanguage } from '@codemirror/lang-json';
import { syntaxTree } from '@codemirror/language';
import type { CodeEditor, EditorOptions } from '../../ui/editor/code-editor.js';
import { rootOf, shapeAt, type Shape } from '../../ui/editor/completion.js';
import { createJsonEditor } from '../../ui/editor/json-editor.js';

type Node = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

const nameOf = (property: Node, json: string): string => {
  const name = property.getChild('PropertyName');
  return name ? json.slice(name.from, name.to).replace(/^"|"$/g, '') : '';
};

/** Returns the JSON text of an object with another member, and the place between the quotes of its empty text. */
export function withVariable(json: string, name: string): { text: string; at: number } {
  const object = jsonLanguage.parser.parse(json).topNode.getChild('Object');
  const added = `${JSON.stringify(name)}: ""`;
  const last = object?.getChildren('Property').at(-1);
  if (!object || !last) return { text: `{\n  ${added}\n}`, at: added.length + 3 };
  const lineStart = json.lastIndexOf('\n', last.from) + 1;
  const indent = json.slice(lineStart, last.from);
  const separator = lineStart > 0 && indent.trim() === '' ? `,\n${indent}` : ', ';
  const before = json.slice(0, last.to) + separator + added;
  return { text: before + json.slice(last.to), at: before.length - 1 };
}

// Returns the shape of the variables: what the default templates say of them, and other names that templates read.
function variablesShape(read: readonly string[]): Shape {
  const known = { ...rootOf('static').properties, ...rootOf('dynamic').properties };
  return { properties: Object.fromEntries(read.map((name) => [name, known[name] ?? {}])) };
}

// What a value of a shape starts with, and where the cursor is then.
function startOf({ type, properties, items }: Shape): string {
  if (type === 'array' || items) return '[]';
  if (type === 'object' || properties) return '{}';
  return type === 'boolean' ? 'true' : type === 'number' || type === 'integer' ? '0' : '""';
}

function complete(context: CompletionContext, read: readonly string[]) {
  const json = context.state.doc.toString();
  const typed = /(?:^|[{,])\s*("?)([\w-]*)$/.exec(json.slice(0, context.pos));
  if (!typed || /^[\w-]*"?\s*:/.test(json.slice(context.pos))) return null;
  const [, quote = '', start = ''] = typed;
  if (quote + start === '' && !context.explicit) return null;
  const path: string[] = [];
  let object: Node | undefined;
  for (let node: Node | null = syntaxTree(context.state).resolveInner(context.pos, -1); node;) {
    if (node.name === 'Object') object ??= node;
    if (node.name === 'Array') path.unshift('[]');
    // The property that is being typed has no value yet.
    if (node.name === 'Property' && object) path.unshift(nameOf(node, json));
    node = node.parent;
  }
  const shape = shapeAt(path, variablesShape(read));
  const present = new Set(object?.getChildren('Property').map((one) => nameOf(one, json)));
  const names = Object.entries(shape.properties ?? {}).filter(([name]) => !present.has(name));
  const from = context.pos - (quote + start).length;
  const comma = /^\s*"/.test(json.slice(context.pos)) ? ',' : '';
  const options = names.map(([name, { description, ...value }]) => ({
    label: `"${name}"`,
    ...(description === undefined ? {} : { detail: description }),
    apply: `"${name}": ${startOf(value)}${comma}`,
  }));
  return options.length === 0 ? null : { from, options, validFor: /^"?[\w-]*$/ };
}

/** Returns what creates the editor. `read` returns the names that templates read at that moment. */
export const variablesEditor =
  (read: () => readonly string[]) =>
  (options: EditorOptions): CodeEditor =>
    createJsonEditor({
      ...options,
      extensions: autocompletion({
        override: [(context) => complete(context, read())],
        icons: false,
      }),
    });
