// Converts AssembleInput to the parts that bindings/thread.h reads. Text and bytes are passed on unparsed.
import type { FramePart } from '../base/json-input.js';
import type { Instance } from './instance.js';
import { jsonPart, valuePart } from '../base/json-input.js';
import * as must from '../base/options.js';
import { unavailable } from '../base/errors.js';
import type { AssembleInput, LayerInput } from '../types/assemble.js';

// `anything` marks options that the core or this file validates later.
const layerOptions: must.Shape<LayerInput> = {
  template: must.unchecked,
  variables: must.unchecked,
  text: must.optional(must.string),
};
const inputOptions: must.Shape<AssembleInput> = {
  now: must.unchecked,
  compiled: must.unchecked,
  static: must.shape<NonNullable<AssembleInput['static']>>({
    ...layerOptions,
    role: must.unchecked,
  }),
  dynamic: must.shape<NonNullable<AssembleInput['dynamic']>>({
    ...layerOptions,
    placement: must.unchecked,
  }),
  trigger: must.unchecked,
  tools: must.unchecked,
  toolConfig: must.unchecked,
  generationConfig: must.unchecked,
  safetySettings: must.unchecked,
  cache: must.unchecked,
  cachedHistory: must.unchecked,
  bufferTokens: must.unchecked,
  strict: must.unchecked,
  previous: must.unchecked,
};

/** What a compiled template is to `assemble`. */
export interface LayerTemplate {
  /** Returns the number that the core knows the template by. Throws ReferenceError in another instance. */
  idIn(instance: Instance): number;
}

interface LayerFrame {
  options: { source: 'default' | 'text' | 'template'; templateId?: number };
  text: FramePart;
  variables: FramePart;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isCompiled = (value: unknown): value is LayerTemplate =>
  isObject(value) && 'idIn' in value && typeof value.idIn === 'function';

function layerFrame(instance: Instance, layer: LayerInput = {}, path: string): LayerFrame {
  const variables = jsonPart(layer.variables, `${path}/variables`);
  if (layer.text !== undefined) {
    return { options: { source: 'text' }, text: layer.text, variables };
  }
  const { template } = layer;
  if (!instance.isFull && (template ?? layer.variables) !== undefined) {
    throw unavailable(path, 'templates');
  }
  if (isCompiled(template)) {
    const options = { source: 'template', templateId: template.idIn(instance) } as const;
    return { options, text: undefined, variables };
  }
  if (typeof template === 'string') {
    return { options: { source: 'template' }, text: template, variables };
  }
  if (template !== undefined) {
    throw must.invalidOption(`${path}/template`, 'template source or a result of template()');
  }
  return { options: { source: 'default' }, text: undefined, variables };
}

function checkCompiled(instance: Instance, compiled: AssembleInput['compiled']): void {
  if (compiled === undefined) return;
  if (!instance.isFull) throw unavailable('/compiled', 'compiled prompts');
  if (!isObject(compiled)) throw must.invalidOption('/compiled', 'a result of compile()');
  for (const half of ['stable', 'dynamic'] as const) {
    if (typeof compiled[half] !== 'string')
      throw must.invalidOption(`/compiled/${half}`, 'a string');
  }
}

// The members of the prompt's manifest that the request's manifest copies.
function compiledManifest(compiled: AssembleInput['compiled']): FramePart {
  const { profile, sections, diagnostics } = compiled?.manifest ?? {};
  return compiled && valuePart({ profile, sections, diagnostics }, '/compiled/manifest');
}

// In the order of the parts that bindings/thread.h reads.
const fieldNames = ['tools', 'toolConfig', 'generationConfig', 'safetySettings'] as const;

function triggerKind(trigger: AssembleInput['trigger']): 'none' | 'instruction' | 'content' {
  if (trigger === undefined) return 'none';
  return typeof trigger === 'string' ? 'instruction' : 'content';
}

/**
 * Returns the parts of an `assemble` call for `input`.
 *
 * @throws StrataError for an invalid option, ReferenceError for a template of another instance
 */
export function assembleFrame(instance: Instance, input: AssembleInput): FramePart[] {
  must.checkOptions(input, inputOptions);
  const { compiled } = input;
  checkCompiled(instance, compiled);
  const staticLayer = layerFrame(instance, input.static ?? (compiled && { text: '' }), '/static');
  const dynamicLayer = layerFrame(instance, input.dynamic, '/dynamic');
  const { now, cache, cachedHistory, bufferTokens, strict } = input;
  const options = {
    ...{ now, cache, cachedHistory, bufferTokens, strict },
    static: { ...staticLayer.options, role: input.static?.role },
    dynamic: { ...dynamicLayer.options, placement: input.dynamic?.placement },
    trigger: triggerKind(input.trigger),
  };
  return [
    valuePart(options),
    ...[staticLayer.text, staticLayer.variables, dynamicLayer.text, dynamicLayer.variables],
    jsonPart(input.trigger, '/trigger'),
    ...fieldNames.map((name) => jsonPart(input[name], `/${name}`)),
    jsonPart(input.previous && { pieces: input.previous.pieces }),
    ...[compiled?.stable, compiled?.dynamic, compiledManifest(compiled)],
  ];
}
