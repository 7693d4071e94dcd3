// Why this file exists: what may stand at a place of a template, told by the published shapes of the variables
// and by the loops around that place.
import schema from '../sdk/schemas/variables.json';

interface Shape {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: { [name: string]: Shape };
  items?: Shape;
  anyOf?: Shape[];
}

/** One name that fits, and what stands behind it. */
export interface Candidate {
  name: string;
  detail: string;
}

/** What fits, and where the begun name starts. */
export interface Completion {
  from: number;
  candidates: Candidate[];
}

const shapes = schema.definitions as { [name: string]: Shape };

function resolve(shape: Shape | undefined): Shape {
  const name = shape?.$ref?.split('/').at(-1);
  if (name !== undefined) return { ...shapes[name], ...shape, $ref: undefined };
  // Of several forms the one with the most to say.
  const forms = shape?.anyOf?.map(resolve) ?? [];
  return forms.find(({ properties, items }) => properties ?? items) ?? shape ?? {};
}

const membersOf = (shape: Shape | undefined) => resolve(shape).properties ?? {};

/** What a layer's template can read: the layer's own variables, and the arguments. */
export function rootOf(layer: 'static' | 'dynamic'): Shape {
  return { properties: { ...membersOf(shapes[layer]), ...membersOf(shapes['arguments']) } };
}

function shapeAt(path: string, root: Shape): Shape {
  return path.split('.').reduce((shape, name) => resolve(membersOf(shape)[name]), root);
}

/** `root` with the names that the loops in front of the caret have given to items. */
function withLoops(source: string, root: Shape): Shape {
  const properties = { ...root.properties };
  for (const [, name, path] of source.matchAll(/\{%-?\s*for\s+(\w+)\s+in\s+([\w.]+)/g)) {
    const { items } = shapeAt(path ?? '', { properties });
    if (name !== undefined && items) properties[name] = items;
  }
  return { properties };
}

// Inside of {{ … }} or {% … %}, and not in a string there.
function isCode(before: string): boolean {
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

/** What the name that ends at `caret` may become; undefined where no variable can stand. */
export function completionAt(source: string, caret: number, root: Shape): Completion | undefined {
  const before = source.slice(0, caret);
  if (!isCode(before)) return undefined;
  const [path = ''] = /[\w.]*$/.exec(before) ?? [];
  const dot = path.lastIndexOf('.');
  const begun = path.slice(dot + 1);
  const scope = withLoops(before, root);
  const members = membersOf(dot < 0 ? scope : shapeAt(path.slice(0, dot), scope));
  const candidates = Object.entries(members)
    .filter(([name]) => name.startsWith(begun) && name !== begun)
    .map(([name, shape]) => ({ name, detail: detailOf(shape) }));
  return candidates.length > 0 ? { from: caret - begun.length, candidates } : undefined;
}
