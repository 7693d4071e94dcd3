// Compiles and renders templates, and calls their host functions.
import { messageOf } from '../internal/messages.js';
import type { LayerTemplate } from './assemble.js';
import { construct, Handle } from './handle.js';
import type { Instance } from './instance.js';
import { jsonPart, optionsPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { RawHostCall, RawTemplate } from './raw.js';
import type { Json, JsonInput } from '../types/json.js';
import type { Template, TemplateOptions } from '../types/template.js';
import { decodeUtf8 } from '../internal/bytes.js';

const encoder = new TextEncoder();

const hostFunctions = must.optional(must.recordOf(must.optional(must.func)));

type HostFunction = (...args: Json[]) => Json;

/** Calls a host function. Returns its result as JSON, or the message of what it throws: an exception must not pass through WebAssembly. */
function callHostFunction(
  call: HostFunction | undefined,
  args: Uint8Array,
): { ok: boolean; text: string } {
  try {
    const result = call?.(...(JSON.parse(decodeUtf8(args)) as Json[]));
    return { ok: true, text: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    return { ok: false, text: messageOf(error) };
  }
}

/** The core's reply when a template is compiled. */
interface Compiled {
  id: number;
  variables: string[];
}

/** Implements `Template`. */
export class CompiledTemplate extends Handle<RawTemplate> implements Template, LayerTemplate {
  readonly #id: number;
  readonly variables: string[];

  private constructor(instance: Instance, raw: RawTemplate, { id, variables }: Compiled) {
    super(instance, raw, 'template');
    this.#id = id;
    this.variables = variables;
  }

  static compile(instance: Instance, source: string, options: TemplateOptions): CompiledTemplate {
    must.object(options, '');
    hostFunctions(options.filters, '/filters');
    hostFunctions(options.functions, '/functions');
    const filters = options.filters ?? {};
    const functions = options.functions ?? {};
    const names = { filters: Object.keys(filters), functions: Object.keys(functions) };
    const tables = [
      names.filters.map((name) => filters[name] as HostFunction),
      names.functions.map((name) => functions[name] as HostFunction),
    ];
    const self: { raw?: RawTemplate } = {};
    const host: RawHostCall = (kind, index, args) =>
      instance.host(() => {
        const { ok, text } = callHostFunction(tables[kind]?.[index], args);
        const bytes = encoder.encode(text);
        self.raw?.hostReply(bytes.length).set(bytes);
        return ok;
      });
    const parts = [source, optionsPart({ ...options, ...names })];
    const make = () => new instance.module.Template(instance.core, host);
    const { raw, document } = construct<Compiled, RawTemplate>(instance, parts, make);
    self.raw = raw;
    return new CompiledTemplate(instance, raw, document);
  }

  idIn(instance: Instance): number {
    if (instance !== this.instance) {
      throw new ReferenceError(
        'The template was compiled by another instance of the core. Use the same one.',
      );
    }
    // Throws if the template was disposed.
    void this.raw;
    return this.#id;
  }

  render(context: JsonInput, options: { now?: string } = {}): string {
    const { raw } = this;
    const parts = [jsonPart(context), optionsPart(options)];
    return decodeUtf8(this.instance.call(parts, () => raw.render()).bytes);
  }
}
