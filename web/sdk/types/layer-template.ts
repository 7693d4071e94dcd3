// Defines what `assemble` asks of a template besides its public methods. Not exported.
import type { Template } from './template.js';

/** A template of a text layer. It renders in an instance of its own. */
export interface LayerTemplate extends Template {
  /** Whether the template calls functions of the caller's, which may return another value each time. */
  readonly callsHost: boolean;
  /** @throws ReferenceError if the template was disposed, StrataError if its instance has trapped */
  checkUsable(): void;
  /** Renders with a JSON object. Returns the text or, unless `ok`, `{"templateError":{…}}`. */
  renderLayer(variables: Uint8Array, now: string): { ok: boolean; bytes: Uint8Array };
}
