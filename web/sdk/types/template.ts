// Defines compiled Jinja2 templates and their options.
import './platform.js'; // Disposable
import type { Json, JsonInput } from './json.js';

/** Options of `Templates.template`. The defaults are Jinja2's. */
export interface TemplateOptions {
  /**
   * How undefined variables behave: as one of Jinja2's four Undefined classes.
   *
   * @see https://jinja.palletsprojects.com/en/stable/api/#undefined-types
   */
  undefined?: 'default' | 'strict' | 'chainable' | 'debug';
  /** The `tojson` filter. `html`: Jinja2's. `plain`: Python's `json.dumps(value, ensure_ascii=False)`. `hf`: that of Hugging Face `transformers`, with its parameters. */
  tojson?: 'html' | 'plain' | 'hf';
  /** The template language; `pongo2` is https://github.com/flosch/pongo2 v6. Default: `jinja2`. */
  dialect?: 'jinja2' | 'pongo2';
  trimBlocks?: boolean;
  lstripBlocks?: boolean;
  keepTrailingNewline?: boolean;
  autoescape?: boolean;
  /** The templates that `include`, `import` and `extends` can load: sources by name. */
  templates?: { [name: string]: string };
  /** Additional filters. They take and return JSON values and must not call the same `Templates` instance (`instance.busy`). What they throw becomes a `TemplateError`. */
  filters?: { [name: string]: (value: Json, ...args: Json[]) => Json };
  /** Additional functions, with the same rules as `filters`. */
  functions?: { [name: string]: (...args: Json[]) => Json };
  /** Limits per render: bytes of output (default: 16 MiB), evaluation steps (5,000,000), depth of calls (200). Beyond them, rendering throws TemplateError `template.limit`. */
  limits?: { output?: number; fuel?: number; depth?: number };
}

/** What kind of error a template has. */
export type TemplateErrorKind =
  | 'syntax'
  | 'undefined'
  | 'not_found'
  | 'runtime'
  | 'zero_division'
  | 'security'
  | 'recursion'
  | 'raised'
  | 'limit';

/**
 * A compiled template.
 *
 * @example
 * using template = templates.template('Hello, {{ name }}.');
 * template.render({ name: 'Ada' }); // Hello, Ada.
 */
export interface Template extends Disposable {
  readonly source: string;
  /** The variables that the template, and the templates that it includes by name, read from their context; sorted. */
  readonly variables: string[];
  /**
   * Renders the template. `now` is the time for `strftime_now`, RFC 3339; without it that function is an error.
   *
   * @throws TemplateError if rendering fails
   */
  render(context: JsonInput, options?: { now?: string }): string;
}
