// Converts AssembleInput to the parts that bindings/thread.h reads. Text and bytes are passed on unparsed.
import { compiledIdOf } from './compiled-id.js';
import type { FramePart } from '../internal/json-input.js';
import type { Instance } from './instance.js';
import { jsonPart, optionsPart, valuePart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import { unavailable } from '../internal/errors.js';
import type { Assembled, AssembleInput, LayerInput } from '../types/assemble.js';
import type { Report } from '../types/diagnostic.js';
import type { Manifest } from '../types/manifest.js';

/** What a compiled template is to `assemble`. */
export interface LayerTemplate {
  /** Returns the number that the core knows the template by. Throws ReferenceError in another instance. */
  idIn(instance: Instance): number;
}

/** One text layer: what the core validates, what its text is, and its parts. */
interface LayerFrame {
  /** The options that have no part of their own; undefined if the layer is not given. */
  options: unknown;
  /** The id of a compiled template, or what `text` is. */
  source: 'default' | 'text' | 'template' | number;
  text?: FramePart;
  variables?: FramePart;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCompiled = (value: unknown): value is LayerTemplate =>
  isObject(value) && 'idIn' in value && typeof value.idIn === 'function';

function layerFrame(instance: Instance, layer: LayerInput | undefined, path: string): LayerFrame {
  if (!isObject(layer)) return { options: layer, source: 'default' };
  const { template, variables: given, text, ...options } = layer;
  const variables = jsonPart(given, `${path}/variables`);
  if (text !== undefined) {
    must.string(text, `${path}/text`);
    return { options, source: 'text', text, variables };
  }
  if (!instance.isFull && (template ?? given) !== undefined) {
    throw unavailable(path, 'templates');
  }
  if (isCompiled(template)) {
    return { options, source: template.idIn(instance), variables };
  }
  if (template !== undefined && typeof template !== 'string') {
    throw must.invalidOption(`${path}/template`, 'template source or a result of template()');
  }
  const source = template === undefined ? 'default' : 'template';
  return { options, source, text: template, variables };
}

// The halves of a prompt and the members of its manifest that the request's manifest copies; nothing for a prompt
// that the core knows.
function compiledParts(
  instance: Instance,
  compiled: AssembleInput['compiled'],
  id: number | undefined,
): FramePart[] {
  if (compiled === undefined || id !== undefined) return [];
  if (!instance.isFull) throw unavailable('/compiled', 'compiled prompts');
  must.object(compiled, '/compiled');
  for (const half of ['stable', 'dynamic'] as const) {
    if (typeof compiled[half] !== 'string')
      throw must.invalidOption(`/compiled/${half}`, 'a string');
  }
  const { profile, sections, diagnostics } = compiled.manifest ?? {};
  const manifest = valuePart({ profile, sections, diagnostics }, '/compiled/manifest');
  return [compiled.stable, compiled.dynamic, manifest];
}

// The members of each manifest that the next request compares, `pieces` as the core wrote it, so that they need not
// be serialized.
const comparedOf = new WeakMap<Manifest, string>();

function previousPart(previous: AssembleInput['previous']): FramePart {
  if (!isObject(previous)) return optionsPart(previous ?? undefined);
  const { model, pieces } = previous;
  return comparedOf.get(previous) ?? optionsPart({ model, pieces });
}

/** The reply of `assemble`, with the manifest, most of it, as text. */
export interface AssembleReply extends Report {
  promptTokens: number;
  manifest: string;
}

/** Reads the reply of `assemble`. */
export function readAssembled(text: string): AssembleReply {
  // In a string, the quotes would be escaped.
  const end = text.indexOf(',"manifest":');
  if (end < 0) return JSON.parse(text);
  const reply: AssembleReply = JSON.parse(`${text.slice(0, end)}}`);
  reply.manifest = text.slice(end + ',"manifest":'.length, -1);
  return reply;
}

/** Returns an assembled request, whose manifest is parsed when it is first read. */
export function assembledOf(reply: AssembleReply, body: Uint8Array): Assembled {
  let manifest: Manifest | undefined;
  return {
    ok: reply.ok,
    diagnostics: reply.diagnostics,
    body,
    promptTokens: reply.promptTokens,
    get manifest() {
      return (manifest ??= parseManifest(reply.manifest));
    },
  };
}

function parseManifest(text: string): Manifest {
  const manifest: Manifest = JSON.parse(text);
  const [begin, end] = [text.indexOf('"pieces":['), text.indexOf(',"stablePrefixBytes":')];
  if (begin >= 0 && begin < end) {
    const model = JSON.stringify(manifest.model);
    comparedOf.set(manifest, `{"model":${model},${text.slice(begin, end)}}`);
  }
  return manifest;
}

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
  must.object(input, '');
  const {
    compiled,
    trigger,
    previous,
    tools,
    toolConfig,
    generationConfig,
    safetySettings,
    extra,
    ...options
  } = input;
  const id = isObject(compiled) ? compiledIdOf(instance, compiled) : undefined;
  const halves = compiledParts(instance, compiled, id);
  const staticInput = input.static ?? (compiled && { text: '' });
  const staticLayer = layerFrame(instance, staticInput, '/static');
  const dynamicLayer = layerFrame(instance, input.dynamic, '/dynamic');
  const sources = {
    static: staticLayer.source,
    dynamic: dynamicLayer.source,
    trigger: triggerKind(trigger),
    compiled: id,
  };
  // In the order in which bindings/thread.h reads them.
  return [
    optionsPart(
      Object.assign(options, { static: staticLayer.options, dynamic: dynamicLayer.options }),
    ),
    JSON.stringify(sources),
    staticLayer.text,
    staticLayer.variables,
    dynamicLayer.text,
    dynamicLayer.variables,
    jsonPart(trigger, '/trigger'),
    jsonPart(tools, '/tools'),
    jsonPart(toolConfig, '/toolConfig'),
    jsonPart(generationConfig, '/generationConfig'),
    jsonPart(safetySettings, '/safetySettings'),
    jsonPart(extra, '/extra'),
    previousPart(previous),
    ...halves,
  ];
}
