// Splits a request body into its layers and other fields, by the byte lengths in the manifest.
import type { LayerName, Manifest } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';

/** A byte range of the body. `name` is its field or, for a range of Contents or steps, its layer. */
export interface Span {
  name: string;
  /** The layer; `fields` for fields such as `tools`. */
  layer: LayerName | 'fields';
  /** The first byte, and the byte after the last. */
  start: number;
  end: number;
  text: string;
}

const layerOfPiece: { [name: string]: LayerName } = {
  systemInstruction: 'static',
  system_instruction: 'static',
  static: 'static',
  cachedContent: 'static',
  dynamic: 'dynamic',
  buffered: 'buffered',
  trigger: 'trigger',
};

/** Returns the pieces of the body in order. The closing brackets belong to no piece. */
export function spansOf(body: Uint8Array, manifest: Manifest): Span[] {
  let start = 0;
  return manifest.pieces.map(({ name, bytes }) => {
    const end = start + bytes;
    const layer = layerOfPiece[name] ?? 'fields';
    const span: Span = { name, layer, start, end, text: decodeUtf8(body.subarray(start, end)) };
    start = end;
    return span;
  });
}

/** Parses a span: a field as `{ name: value }`, Contents or steps as an array. */
function parseSpan({ text }: Span): unknown {
  const inner = text.replace(/^[{,]/, '');
  const contents = /^"(?:contents|input)"\s*:\s*\[/.exec(inner)?.[0];
  if (contents !== undefined) return JSON.parse(`[${inner.slice(contents.length)}]`);
  return JSON.parse(inner.startsWith('"') ? `{${inner}}` : `[${inner}]`);
}

// Returns the text of a layer that is a single text: the only string in a field that holds text.
function singleText(value: unknown): string | undefined {
  const texts: string[] = [];
  JSON.stringify(value, (key, inner: unknown) => {
    if ((key === 'text' || key === 'system_instruction') && typeof inner === 'string')
      texts.push(inner);
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

/** Formats a span for reading: the text of a text layer, else indented JSON. */
export function readable(span: Span): string {
  const value = parseSpan(span);
  const isText = span.layer === 'static' || span.layer === 'dynamic';
  const text = isText ? singleText(value) : undefined;
  return text === undefined ? indent(value) : indentText(text);
}

/** Returns the value at a JSON Pointer; undefined if there is none or the JSON is invalid. */
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
