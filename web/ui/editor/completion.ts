// Completes variable names in a template, from the JSON Schema of the variables and the loops before the caret.
import schema from '../../../templates/variables.schema.json';

/** What is known about a value: its type, and its members or items. */
export interface Shape {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: { [name: string]: Shape };
  items?: Shape;
  anyOf?: Shape[];
}

/** A matching name, with the type and description of its value. */
export interface Candidate {
  name: string;
  detail: string;
}

/** The matching names, and the start of the partial name that they replace. */
export interface Completion {
  from: number;
  candidates: Candidate[];
}

const shapes = schema.definitions as { [name: string]: Shape };

function resolve(shape: Shape | undefined): Shape {
  const name = shape?.$ref?.split('/').at(-1);
  if (name !== undefined) return { ...shapes[name], ...shape, $ref: undefined };
  // Prefers the alternative that has members.
  const alternatives = shape?.anyOf?.map(resolve) ?? [];
  return alternatives.find(({ properties, items }) => properties ?? items) ?? shape ?? {};
}

const membersOf = (shape: Shape | undefined) => resolve(shape).properties ?? {};

/** Returns the shape of all variables in a layer's template: those of the layer, and the arguments. */
export function rootOf(layer: 'static' | 'dynamic'): Shape {
  return { properties: { ...membersOf(shapes[layer]), ...membersOf(shapes['arguments']) } };
}

/** Returns the shape at a path of names, in which `[]` stands for the items of a list. */
export function shapeAt(path: readonly string[], root: Shape): Shape {
  const step = (shape: Shape, name: string) =>
    resolve(name === '[]' ? resolve(shape).items : membersOf(shape)[name]);
  return path.reduce(step, root);
}

/** Returns `root` with the loop variables that are defined before the caret. */
function withLoops(source: string, root: Shape): Shape {
  const properties = { ...root.properties };
  for (const [, name, path] of source.matchAll(/\{%-?\s*for\s+(\w+)\s+in\s+([\w.]+)/g)) {
    const { items } = shapeAt((path ?? '').split('.'), { properties });
    if (name !== undefined && items) properties[name] = items;
  }
  return { properties };
}

/** Whether the text ends inside {{ … }} or {% … %}, and not in a string. */
export function isCode(before: string): boolean {
  const opened = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  const closed = Math.max(before.lastIndexOf('}}'), before.lastIndexOf('%}'));
  if (opened <= closed) return false;
  const quotes = before.slice(opened).match(/["']/g)?.length ?? 0;
  return quotes % 2 === 0;
}

function detailOf(shape: Shape): string {
  const { description, type, items } = resolve(shape);
  const kind = Array.isArray(type) ? type.join(' or ') : (type ?? (items ? 'array' : ''));
  return [kind, shape.description ?? description].filter(Boolean).join(': ');
}

/** Returns the completions of the name that ends at `caret`; undefined if no variable is expected there. */
export function completionAt(source: string, caret: number, root: Shape): Completion | undefined {
  const before = source.slice(0, caret);
  if (!isCode(before)) return undefined;
  const [path = ''] = /[\w.]*$/.exec(before) ?? [];
  const dot = path.lastIndexOf('.');
  const prefix = path.slice(dot + 1);
  const scope = withLoops(before, root);
  const members = membersOf(dot < 0 ? scope : shapeAt(path.slice(0, dot).split('.'), scope));
  const candidates = Object.entries(members)
    .filter(([name]) => name.startsWith(prefix) && name !== prefix)
    .map(([name, shape]) => ({ name, detail: detailOf(shape) }));
  return candidates.length > 0 ? { from: caret - prefix.length, candidates } : undefined;
}
