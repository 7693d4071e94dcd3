// Why this file exists: which bytes of a request body belong to which of the four layers. The manifest
// tells how long each piece is; the bytes are those that are sent.
import type { LayerName, Manifest } from '../index.js';
import { textOf } from './dom.js';

/** A stretch of the body. `name` is the field it fills, or the layer where a layer is several Contents. */
export interface Span {
  name: string;
  /** The layer; fields such as `tools` are none. */
  layer: LayerName | 'fields';
  /** Bytes of the body, from `start` up to `end`. */
  start: number;
  end: number;
  text: string;
}

const layerOfPiece: { [name: string]: LayerName } = {
  systemInstruction: 'static',
  static: 'static',
  cachedContent: 'static',
  dynamic: 'dynamic',
  buffered: 'buffered',
  trigger: 'trigger',
};

/** The body cut into its pieces, front to back; only the brackets that close it are left out. */
export function spansOf(body: Uint8Array, manifest: Manifest): Span[] {
  let start = 0;
  return manifest.pieces.map(({ name, bytes }) => {
    const end = start + bytes;
    const layer = layerOfPiece[name] ?? 'fields';
    const span: Span = { name, layer, start, end, text: textOf(body.subarray(start, end)) };
    start = end;
    return span;
  });
}

/** A span's own JSON: `{ name: value }` of a field, an array of Contents. */
function parseSpan({ text }: Span): unknown {
  const inner = text.replace(/^[{,]/, '');
  const contents = /^"contents"\s*:\s*\[/.exec(inner)?.[0];
  if (contents !== undefined) return JSON.parse(`[${inner.slice(contents.length)}]`);
  return JSON.parse(inner.startsWith('"') ? `{${inner}}` : `[${inner}]`);
}

// The text of the layers that are one text: the only string named `text` in them.
function ownText(value: unknown): string | undefined {
  const texts: string[] = [];
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'text' && typeof inner === 'string') texts.push(inner);
    return inner;
  });
  return texts.length === 1 ? texts[0] : undefined;
}

const indent = (value: unknown) => JSON.stringify(value, null, 2);

function indentText(text: string): string {
  try {
    return indent(JSON.parse(text));
  } catch {
    return text;
  }
}

/** A span for reading: a text layer as the model reads it, anything else as indented JSON. */
export function readable(span: Span): string {
  const value = parseSpan(span);
  const isText = span.layer === 'static' || span.layer === 'dynamic';
  const text = isText ? ownText(value) : undefined;
  return text === undefined ? indent(value) : indentText(text);
}

/** What stands at a JSON Pointer; undefined where nothing does. */
export function valueAt(json: string, pointer: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  for (const step of pointer.split('/').slice(1)) {
    value = Object(value)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
