// Compiles the template of a text layer from its source. What does not compile fails when it is rendered.
import { dispose } from '../sdk/internal/lifetime.js';
import { TemplateError } from '../sdk/internal/errors.js';
import type { LayerTemplate } from '../sdk/types/layer-template.js';
import type { Templates } from '../sdk/types/templates.js';
import { failureOf, layerOptions } from './template.js';

export { loadTemplates } from './templates.js';

/** A template that does not compile. */
class FailedTemplate implements LayerTemplate {
  readonly source: string;
  readonly variables: string[] = [];
  readonly callsHost = false;
  readonly #error: TemplateError;

  constructor(source: string, error: TemplateError) {
    this.source = source;
    this.#error = error;
  }

  checkUsable(): void {}

  render(): never {
    throw this.#error;
  }

  renderLayer(): { ok: boolean; bytes: Uint8Array } {
    return failureOf(this.#error);
  }

  [dispose](): void {}
}

/** Returns the template of a layer; without `source`, the package's own. */
export function layerTemplate(
  templates: Templates,
  layer: 'static' | 'dynamic',
  source: string | undefined,
): LayerTemplate {
  if (source === undefined) return templates.defaultTemplate(layer) as LayerTemplate;
  try {
    return templates.template(source, layerOptions) as LayerTemplate;
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return new FailedTemplate(source, error);
  }
}
