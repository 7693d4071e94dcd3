// Defines how the templates of text layers are compiled.
import type { TemplateOptions } from '../sdk/types/template.js';

/** The options of the package's own templates, and of a layer's template that is given as source. */
export const layerOptions: TemplateOptions = {
  trimBlocks: true,
  lstripBlocks: true,
  tojson: 'plain',
};
