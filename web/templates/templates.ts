// Implements `Templates`: one instance of the module templates, and loads it.
import { create, wasm } from '#templates';
import type { Instance } from '../sdk/core/instance.js';
import { jsonPart, optionsPart } from '../sdk/internal/json-input.js';
import * as must from '../sdk/internal/options.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { version } from '../sdk/internal/version.js';
import type { CompiledPrompt, PromptManifest } from '../sdk/types/compiled-prompt.js';
import type { Manifest, ManifestDiff } from '../sdk/types/manifest.js';
import type { ArgumentSources, BuiltArguments } from '../sdk/types/prompt-arguments.js';
import type { PromptInput } from '../sdk/types/prompt-input.js';
import type { Template, TemplateOptions } from '../sdk/types/template.js';
import type { Templates } from '../sdk/types/templates.js';
import { compilePrompt, splitPrompt } from './compile.js';
import type { RawTemplatesModule } from './raw.js';
import { CompiledTemplate, layerOptions } from './template.js';
import { instanceLoader, type LoadOptions } from '../sdk/core/instance-loader.js';

/**
 * Implements `Templates`.
 *
 * @internal
 */
export class WasmTemplates implements Templates {
  readonly version = version;
  protected readonly instance: Instance<RawTemplatesModule>;

  constructor(instance: Instance<RawTemplatesModule>) {
    this.instance = instance;
  }

  template(source: string, options: TemplateOptions = {}): Template {
    must.string(source, '/source');
    return CompiledTemplate.compile(this.instance, source, options);
  }

  defaultTemplate(layer: 'static' | 'dynamic'): Template {
    must.oneOf('static', 'dynamic')(layer, '/layer');
    const { core } = this.instance;
    const { bytes } = this.instance.call([layer], () => core.defaultTemplate());
    return this.template(decodeUtf8(bytes), layerOptions);
  }

  compile(input: PromptInput): CompiledPrompt {
    return compilePrompt(this.instance, input);
  }

  splitPrompt(full: string): { stable: string; dynamic: string } | null {
    return splitPrompt(this.instance, full);
  }

  promptArguments(sources: ArgumentSources): BuiltArguments {
    const { core } = this.instance;
    const action = () => core.promptArguments();
    return this.instance.call<BuiltArguments>([jsonPart(sources)], action).document;
  }

  diffManifests(a: Manifest | PromptManifest, b: Manifest | PromptManifest): ManifestDiff {
    const { core } = this.instance;
    const parts = [optionsPart(a), optionsPart(b)];
    return this.instance.call<ManifestDiff>(parts, () => core.diffManifests()).document;
  }

  fingerprint(text: string | Uint8Array): string {
    const { core } = this.instance;
    const { document } = this.instance.call<{ fingerprint: string }>([text], () =>
      core.fingerprint(),
    );
    return document.fingerprint;
  }
}

const loadInstance = instanceLoader<RawTemplatesModule>(create, wasm);

/**
 * Creates an instance of the template engine. It is compiled at the first call. A WebAssembly trap ends only the
 * instance in which it happens.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for invalid options, `wasm.not_found` or `wasm.not_compiled` if
 *   the WebAssembly file cannot be used
 * @example
 * const templates = await loadTemplates();
 * using template = templates.template('Hello, {{ name }}.');
 */
export async function loadTemplates(options: LoadOptions = {}): Promise<Templates> {
  return new WasmTemplates(await loadInstance(options));
}
