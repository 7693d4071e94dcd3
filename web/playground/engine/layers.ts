// Splits a request body into its layers and other fields, by the byte lengths in the manifest.
import type { LayerName, Manifest } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { ifValid } from './declaration.js';
import { laidOut } from './export/json-layout.js';

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

export const layerMeanings: Record<LayerName, string> = {
  static: 'Instructions that are the same in every request.',
  dynamic: 'The state of this moment, such as the time, as one JSON text.',
  buffered: 'The conversation so far, byte for byte.',
  trigger: 'The newest message of the user, or the results of tools.',
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

// For the eyes only: texts with their line breaks and quotes, as nobody writes JSON.
const unescaped = (token: string) =>
  token.replace(/\\(["n\\])/g, (_all, character: string) => (character === 'n' ? '\n' : character));

export const readable = ({ text }: Span): string => laidOut(text, { step: '  ', write: unescaped });

/** Returns the value at a JSON Pointer; undefined if there is none or the JSON is invalid. */
export function valueAt(json: string, pointer: string): unknown {
  let value: unknown = ifValid(() => JSON.parse(json));
  for (const step of pointer.split('/').slice(1)) {
    value = Object(value)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
