// Converts AssembleInput to the parts that bindings/thread.cpp reads. Text and bytes are passed on unparsed.
import type { FramePart } from '../base/json-input.js';
import type { Instance } from './instance.js';
import { jsonPart, optionsPart, valuePart } from '../base/json-input.js';
import * as must from '../base/options.js';
import { CompiledTemplate } from './template.js';
import type { RawTemplate } from './raw.js';
import type { AssembleInput, LayerInput } from '../types/assemble.js';
import type { Manifest } from '../types/manifest.js';

/** The parts of the call, and the compiled templates, which are passed as handles. */
export interface AssembleFrame {
  parts: FramePart[];
  staticLayer: RawTemplate | null;
  dynamicLayer: RawTemplate | null;
}

/** One text layer: what the core validates, what its text is, and its parts. */
interface LayerFrame {
  /** The options that have no part of their own; undefined if the layer is not given. */
  options: unknown;
  /** The id of a compiled template, or what `text` is. */
  source: 'default' | 'text' | 'template' | number;
  text: FramePart;
  variables: FramePart;
  handle: RawTemplate | null;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function layerFrame(instance: Instance, layer: LayerInput | undefined, path: string): LayerFrame {
  if (!isObject(layer)) {
    return {
      options: layer,
      source: 'default',
      text: undefined,
      variables: undefined,
      handle: null,
    };
  }
  const { template, variables: given, text, ...options } = layer;
  const variables = jsonPart(given, `${path}/variables`);
  if (text !== undefined) {
    must.string(text, `${path}/text`);
    return { options, source: 'text', text, variables, handle: null };
  }
  if (template instanceof CompiledTemplate) {
    const handle = template.rawFor(instance);
    return { options, source: template.id, text, variables, handle };
  }
  if (template !== undefined && typeof template !== 'string') {
    throw must.invalidOption(`${path}/template`, 'template source or a result of template()');
  }
  const source = template === undefined ? 'default' : 'template';
  return { options, source, text: template, variables, handle: null };
}

function checkCompiled(compiled: AssembleInput['compiled']): void {
  if (compiled === undefined) return;
  must.object(compiled, '/compiled');
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

// The members of the previous request's manifest that are compared.
const previousParts = ({ model, pieces }: Manifest) => ({ model, pieces });

function triggerKind(trigger: AssembleInput['trigger']): 'none' | 'instruction' | 'content' {
  if (trigger === undefined) return 'none';
  return typeof trigger === 'string' ? 'instruction' : 'content';
}

/**
 * Returns the parts of an `assemble` call for `input`.
 *
 * @throws StrataError for an invalid option, ReferenceError for a template of another instance
 */
export function assembleFrame(instance: Instance, input: AssembleInput): AssembleFrame {
  must.object(input, '');
  const { compiled, trigger, previous, tools, toolConfig, ...others } = input;
  const { generationConfig, safetySettings, extra, ...options } = others;
  checkCompiled(compiled);
  const staticInput = input.static ?? (compiled && { text: '' });
  const staticLayer = layerFrame(instance, staticInput, '/static');
  const dynamicLayer = layerFrame(instance, input.dynamic, '/dynamic');
  const sources = {
    static: staticLayer.source,
    dynamic: dynamicLayer.source,
    trigger: triggerKind(trigger),
  };
  // In the order in which bindings/thread.cpp reads them.
  const parts = [
    optionsPart({ ...options, static: staticLayer.options, dynamic: dynamicLayer.options }),
    JSON.stringify(sources),
    ...[staticLayer.text, staticLayer.variables, dynamicLayer.text, dynamicLayer.variables],
    jsonPart(trigger, '/trigger'),
    ...[jsonPart(tools, '/tools'), jsonPart(toolConfig, '/toolConfig')],
    jsonPart(generationConfig, '/generationConfig'),
    ...[jsonPart(safetySettings, '/safetySettings'), jsonPart(extra, '/extra')],
    optionsPart(isObject(previous) ? previousParts(previous) : (previous ?? undefined)),
    ...[compiled?.stable, compiled?.dynamic, compiledManifest(compiled)],
  ];
  return { parts, staticLayer: staticLayer.handle, dynamicLayer: dynamicLayer.handle };
}
