// Defines the interface of one instance of the module templates.
import type { CompiledPrompt, PromptManifest } from './compiled-prompt.js';
import type { Manifest, ManifestDiff } from './manifest.js';
import type { ArgumentSources, BuiltArguments } from './prompt-arguments.js';
import type { PromptInput } from './prompt-input.js';
import type { Template, TemplateOptions } from './template.js';

/**
 * One instance of the template engine, as `loadTemplates` returns it.
 *
 * Every method throws StrataError `field.unknown` or `field.invalid` for invalid options, and
 * `instance.out_of_memory` or `instance.poisoned` after a WebAssembly trap, which also ends all templates of the
 * instance.
 */
export interface Templates {
  /** The version of the package. */
  readonly version: string;
  /**
   * Compiles a Jinja2 template.
   *
   * @throws TemplateError with line and column
   */
  template(source: string, options?: TemplateOptions): Template;
  /**
   * Compiles the package's own template of a layer, for `thread.assemble`.
   *
   * @throws StrataError `field.invalid` for another layer
   *
   * @example
   * using template = templates.defaultTemplate('static');
   * thread.assemble({ now, static: { template, variables: { session_goal: 'Plan a trip' } } });
   */
  defaultTemplate(layer: 'static' | 'dynamic'): Template;
  /**
   * Compiles a prompt from named sections into a stable and a dynamic half; see docs/prompts.md.
   *
   * @throws TemplateError with `strict`, if a template fails
   */
  compile(input: PromptInput): CompiledPrompt;
  /**
   * Splits `CompiledPrompt.full`, or a prompt of https://github.com/pioneerdotai/pioneer, at its boundary. Returns
   * null if there is no boundary.
   *
   * @throws StrataError `field.invalid` for a prompt that is not a string
   */
  splitPrompt(full: string): { stable: string; dynamic: string } | null;
  /**
   * Builds the variables that templates read: `system`, `assistant`, `conversation`, `session`, `message`,
   * `args`, and the arguments again at root level.
   *
   * @throws StrataError `field.invalid` for an invalid source, `json.invalid` for a value that JSON cannot
   *   represent
   */
  promptArguments(sources: ArgumentSources): BuiltArguments;
  /**
   * Returns which sections changed from `a` to `b`, and how much of the stable prefix that loses. Both are
   * manifests of `compile` or both of `assemble`.
   *
   * @throws StrataError `manifest.version` for a document of another version
   */
  diffManifests(a: Manifest | PromptManifest, b: Manifest | PromptManifest): ManifestDiff;
  /**
   * Returns the SHA-256 of text or bytes, hexadecimal: the `fingerprint` of manifests.
   *
   * @throws StrataError `field.invalid` for what is neither text nor bytes
   */
  fingerprint(text: string | Uint8Array): string;
}
