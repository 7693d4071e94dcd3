// Compiles the templates of text layers, for which it loads prompt-strata/templates once an option needs it.
import { dispose } from '../internal/lifetime.js';
import { isObject } from '../internal/json.js';
import { sharedInstance } from '../internal/shared-instance.js';
import type { AssembleInput, LayerInput } from '../types/assemble.js';
import type { LayerTemplate } from '../types/layer-template.js';
import type { Templates } from '../types/templates.js';
import type { ConversationOptions } from './options.js';

type LayerName = 'static' | 'dynamic';

const loadEntry = () => import('../../templates/layer-template.js');

/** Returns the template engine that all conversations share. */
export const templatesEntry = sharedInstance<Templates>(
  async () => (await loadEntry()).loadTemplates(),
  (templates) => templates.fingerprint(''),
);

// Whether a layer is rendered from source, or from the package's own template.
function needsEngine(layer: unknown): layer is LayerInput & { template?: string } {
  if (!isObject(layer)) return false;
  const { text, template } = layer as { text?: unknown; template?: unknown };
  return text === undefined && (template === undefined || typeof template === 'string');
}

/** The compiled templates of one conversation: of each layer, the newest. */
export class LayerTemplates implements Disposable {
  readonly #options: ConversationOptions | undefined;
  #prepared: Promise<void> | undefined;
  readonly #compiled = new Map<
    LayerName,
    { source: string | undefined; templates: Templates; template: LayerTemplate }
  >();

  /** `options`: those that `prepare` checks. */
  constructor(options?: ConversationOptions) {
    this.#options = options;
  }

  /**
   * Compiles the templates of the options, once.
   *
   * @throws TemplateError for one that does not compile, StrataError `field.unknown` for a misspelled variable
   */
  async prepare(): Promise<void> {
    if (!this.#options) return;
    this.#prepared ??= check(this.#options);
    return this.#prepared;
  }

  /** Returns the input with compiled templates in place of sources and defaults. */
  async resolve(input: AssembleInput): Promise<AssembleInput> {
    const { static: staticLayer, dynamic } = input;
    if (!needsEngine(staticLayer) && !needsEngine(dynamic)) return input;
    const templates = await templatesEntry();
    const entry = await loadEntry();
    const compiled = (name: LayerName, source: string | undefined): LayerTemplate => {
      const known = this.#compiled.get(name);
      if (known?.source === source && known?.templates === templates) return known.template;
      const template = entry.layerTemplate(templates, name, source);
      known?.template[dispose]();
      this.#compiled.set(name, { source, templates, template });
      return template;
    };
    const rendered = <Layer>(layer: Layer, name: LayerName) =>
      needsEngine(layer) ? { ...layer, template: compiled(name, layer.template) } : layer;
    return {
      ...input,
      static: rendered(staticLayer, 'static'),
      dynamic: rendered(dynamic, 'dynamic'),
    };
  }

  [dispose](): void {
    for (const { template } of this.#compiled.values()) template[dispose]();
    this.#compiled.clear();
  }
}

async function check(options: ConversationOptions): Promise<void> {
  const { static: staticLayer, dynamic, prompt } = options;
  const layers = [staticLayer, dynamic].filter((layer) => Object(layer).text === undefined);
  if (!layers.some(isObject) && !isObject(prompt)) return;
  const { checkTemplates } = await import('./check-templates.js');
  checkTemplates(await templatesEntry(), options);
}
