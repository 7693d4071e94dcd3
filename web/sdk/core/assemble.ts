// Converts AssembleInput to the parts that bindings/thread.h reads, and renders the templates of its layers. Text and
// bytes are passed on unparsed.
import { jsonPart, optionsPart, valuePart, type FramePart } from '../internal/json-input.js';
import type { StrataError } from '../internal/errors.js';
import type { Instance } from './instance.js';
import * as must from '../internal/options.js';
import type { Assembled, AssembleInput, LayerInput } from '../types/assemble.js';
import type { Report } from '../types/diagnostic.js';
import type { LayerTemplate } from '../types/layer-template.js';
import type { RawRender, RawThread } from './raw.js';
import type { Manifest } from '../types/manifest.js';

/** One text layer: what the core validates, what its text is, and its parts. */
interface LayerFrame {
  /** The options that have no part of their own; undefined if the layer is not given. */
  options: unknown;
  /** What HostTemplate of bindings/ reads of a template; undefined for a finished text. */
  source?: { id: number; reads: readonly string[]; callsHost: boolean } | undefined;
  template?: LayerTemplate | undefined;
  text?: FramePart;
  variables?: FramePart;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTemplate = (value: unknown): value is LayerTemplate =>
  isObject(value) && 'renderLayer' in value && typeof value.renderLayer === 'function';

// The core renders a layer again if its template has another number.
const ids = new WeakMap<LayerTemplate, number>();
let lastId = 0;

function idOf(template: LayerTemplate): number {
  const id = ids.get(template) ?? ++lastId;
  ids.set(template, id);
  return id;
}

// The core has no template engine.
function engineMissing(path: string, call: string): StrataError {
  return must.invalidOption(
    path,
    `a Template: (await loadTemplates()).${call} of 'prompt-strata/templates'. ` +
      'Only connect, Conversation and prepareRequest load that entry by themselves',
  );
}

function layerFrame(layer: LayerInput | undefined, name: 'static' | 'dynamic'): LayerFrame {
  const path = `/${name}`;
  if (!isObject(layer)) return { options: layer, text: '' };
  const { template, variables: given, text, ...options } = layer;
  const variables = jsonPart(given, `${path}/variables`);
  if (text !== undefined) {
    must.string(text, `${path}/text`);
    return { options, text, variables };
  }
  if (template === undefined) {
    // The core names a misspelled option.
    const isMisspelled = Object.keys(options).some((key) => !/^(role|placement)$/.test(key));
    if (isMisspelled) return { options, text: '' };
    throw engineMissing(path, `defaultTemplate('${name}')`);
  }
  if (!isTemplate(template)) throw engineMissing(`${path}/template`, 'template(source)');
  const { source, callsHost, variables: reads } = template;
  return {
    options,
    source: { id: idOf(template), reads, callsHost },
    template,
    text: source,
    variables,
  };
}

// The halves of a prompt and the members of its manifest that the request's manifest copies.
function compiledParts(compiled: AssembleInput['compiled']): FramePart[] {
  if (compiled === undefined) return [];
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
  const { model, wire, pieces } = previous;
  return comparedOf.get(previous) ?? optionsPart({ model, wire, pieces });
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
    const { model, wire } = manifest;
    const head = JSON.stringify({ model, wire }).slice(0, -1);
    comparedOf.set(manifest, `${head},${text.slice(begin, end)}}`);
  }
  return manifest;
}

function triggerKind(trigger: AssembleInput['trigger']): 'none' | 'instruction' | 'content' {
  if (trigger === undefined) return 'none';
  return typeof trigger === 'string' ? 'instruction' : 'content';
}

/** One call that assembles: its parts, and the templates that it renders. */
export class AssembleCall {
  /** In the order in which bindings/thread.h reads them. */
  readonly parts: FramePart[];
  readonly #templates: readonly (LayerTemplate | undefined)[];
  readonly #now: string;
  /** What rendering has thrown, which must not pass through WebAssembly. */
  #thrown: { error: unknown } | undefined;

  /** @throws StrataError for an invalid option */
  constructor(input: AssembleInput) {
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
    const halves = compiledParts(compiled);
    const staticLayer = layerFrame(input.static, 'static');
    const dynamicLayer = layerFrame(input.dynamic, 'dynamic');
    const sources = {
      static: staticLayer.source,
      dynamic: dynamicLayer.source,
      trigger: triggerKind(trigger),
    };
    this.#templates = [staticLayer.template, dynamicLayer.template];
    this.#now = input.now;
    this.parts = [
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

  /**
   * Returns what the core calls to render the templates; undefined without templates.
   *
   * @throws ReferenceError for a template that was disposed
   */
  renderer(instance: Instance, thread: RawThread): RawRender | undefined {
    const given = this.#templates.filter((template) => template !== undefined);
    if (given.length === 0) return undefined;
    for (const template of given) template.checkUsable();
    return (layer, variables) => {
      const { ok, bytes } = instance.host(() => this.#render(layer, variables));
      thread.hostReply(bytes.length).set(bytes);
      return ok;
    };
  }

  /** Runs the call. What a template throws besides its own errors is thrown here. */
  finish<Result>(call: () => Result): Result {
    let result: Result;
    try {
      result = call();
    } catch (error) {
      throw this.#thrown ? this.#thrown.error : error;
    }
    if (this.#thrown) throw this.#thrown.error;
    return result;
  }

  #render(layer: number, variables: Uint8Array): { ok: boolean; bytes: Uint8Array } {
    try {
      const template = this.#templates[layer] as LayerTemplate;
      return template.renderLayer(variables, this.#now);
    } catch (error) {
      this.#thrown = { error };
      return { ok: false, bytes: new TextEncoder().encode('{"templateError":{}}') };
    }
  }
}
