// What one request is assembled from, and the result.
import type { CompiledPrompt } from './compiled-prompt.js';
import type { Report } from './diagnostic.js';
import type { Json, JsonInput } from './json.js';
import type { Manifest } from './manifest.js';
import type { Template } from './template.js';

/** A text layer: a template (source, compiled, or the default) with its variables, or finished text. */
export interface LayerInput {
  /** Default: the package's own template for the layer. */
  template?: string | Template;
  variables?: { [key: string]: Json };
  /** Sent as it is, instead of a template; `''` leaves the layer out. */
  text?: string;
}

/** What one request is made of, besides the thread. */
export interface AssembleInput {
  /** RFC 3339. The core has no clock: the dynamic layer and `strftime_now` tell this. */
  now: string;
  /** Its stable half joins layer 1, its dynamic half opens layer 2; without `static` layer 1 is nothing else. */
  compiled?: CompiledPrompt;
  /** Layer 1. `role: 'user'` sends it as the first Content instead of `systemInstruction`. */
  static?: LayerInput & { role?: 'system' | 'user' };
  /** Layer 2, one JSON text. `before-current-turn` puts it behind the old history, so that history can share the stable prefix. */
  dynamic?: LayerInput & { placement?: 'after-static' | 'before-current-turn' };
  /** Layer 4: the instruction as plain text, or a whole Content. */
  trigger?: string | object | Uint8Array;
  tools?: JsonInput;
  toolConfig?: JsonInput;
  generationConfig?: JsonInput;
  safetySettings?: JsonInput;
  /** A live CachedContent; `turns` and `key` are what `cacheBody` gave when it was created. */
  cache?: { name: string; model: string; turns: number; key: string } | null;
  /** How history older than the buffer goes to layer 1: as quoted text (default), or as Contents of a CachedContent. */
  cachedHistory?: 'text' | 'contents';
  /** Tokens of recent turns at which older ones move to layer 1. Default: the model's row. Negative: never. */
  bufferTokens?: number;
  /** A failing template throws `TemplateError` instead of falling back to its source. */
  strict?: boolean;
  /** The manifest of the last request that was sent, for `stablePrefixBytes`. */
  previous?: Manifest;
}

/** The request body, and what it is made of. */
export interface Assembled extends Report {
  body: Uint8Array;
  manifest: Manifest;
}
