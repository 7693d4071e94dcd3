// Why this file exists: AssembleInput as the frame that bindings/thread.cpp reads. What the caller gave
// as text or bytes goes over as it is.
import type { Instance, Part } from './instance.js';
import { jsonPart } from './json-input.js';
import { CompiledTemplate } from './template.js';
import type { RawTemplate } from './raw.js';
import type { AssembleInput, LayerInput } from './types.js';

/** The parts of the frame, and the templates that go as handles. */
export interface AssembleFrame {
  parts: Part[];
  fixed: RawTemplate | null;
  moving: RawTemplate | null;
}

interface LayerFrame {
  options: { source: 'default' | 'text' | 'template'; templateId?: number };
  text: Part;
  variables: Part;
  handle: RawTemplate | null;
}

function layerFrame(instance: Instance, layer: LayerInput = {}): LayerFrame {
  const variables = jsonPart(layer.variables);
  if (layer.text !== undefined) {
    return { options: { source: 'text' }, text: layer.text, variables, handle: null };
  }
  const { template } = layer;
  if (template instanceof CompiledTemplate) {
    const handle = template.rawFor(instance);
    const options = { source: 'template', templateId: template.id } as const;
    return { options, text: undefined, variables, handle };
  }
  if (typeof template === 'string') {
    return { options: { source: 'template' }, text: template, variables, handle: null };
  }
  return { options: { source: 'default' }, text: undefined, variables, handle: null };
}

function triggerKind(trigger: AssembleInput['trigger']): 'none' | 'instruction' | 'content' {
  if (trigger === undefined) return 'none';
  return typeof trigger === 'string' ? 'instruction' : 'content';
}

export function assembleFrame(instance: Instance, input: AssembleInput): AssembleFrame {
  const fixed = layerFrame(instance, input.static);
  const moving = layerFrame(instance, input.dynamic);
  const { now, cache, cachedHistory, bufferTokens, strict } = input;
  const options = {
    ...{ now, cache, cachedHistory, bufferTokens, strict },
    static: { ...fixed.options, role: input.static?.role },
    dynamic: { ...moving.options, placement: input.dynamic?.placement },
    trigger: triggerKind(input.trigger),
  };
  const parts = [
    JSON.stringify(options),
    ...[fixed.text, fixed.variables, moving.text, moving.variables],
    jsonPart(input.trigger),
    ...[input.tools, input.toolConfig, input.generationConfig, input.safetySettings].map(jsonPart),
    jsonPart(input.previous && { pieces: input.previous.pieces }),
  ];
  return { parts, fixed: fixed.handle, moving: moving.handle };
}
