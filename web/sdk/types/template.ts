// Compiled Jinja2 templates.
import type { Json, JsonInput } from './json.js';

/** How a template is compiled. The defaults are Jinja2's own. */
export interface TemplateOptions {
  /** What reading an undefined name does: Jinja2's own four kinds. */
  undefined?: 'default' | 'strict' | 'chainable' | 'debug';
  /** `html`: stock Jinja2. `plain`: like `json.dumps(value, ensure_ascii=False)`. `hf`: the signature of `transformers`. */
  tojson?: 'html' | 'plain' | 'hf';
  dialect?: 'jinja2' | 'pongo2';
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  keepTrailingNewline?: boolean;
  autoescape?: boolean;
  /** Sources for `include`, `import` and `extends`, by name. */
  templates?: { [name: string]: string };
  /** Host filters. They get and return JSON values, must not call back into the same instance. */
  filters?: { [name: string]: (value: Json, ...args: Json[]) => Json };
  /** Host functions, under the same terms. */
  functions?: { [name: string]: (...args: Json[]) => Json };
  /** Per render: bytes of output, units of work, depth of calls. */
  limits?: { output?: number; fuel?: number; depth?: number };
}

/** A compiled template. Rendering throws `TemplateError`; only `assemble` falls back (unless strict). */
export interface Template extends Disposable {
  /** What it and the templates that it includes by name read from their context, sorted. */
  readonly variables: string[];
  /** `now` (RFC 3339) is what `strftime_now` tells; without it that function is an error. */
  render(context: JsonInput, options?: { now?: string }): string;
}
