// Compiles and renders templates, and calls their host functions.
import { messageOf } from '../sdk/internal/messages.js';
import { construct, Handle } from '../sdk/core/handle.js';
import type { Instance } from '../sdk/core/instance.js';
import { TemplateError } from '../sdk/internal/errors.js';
import { jsonPart, optionsPart } from '../sdk/internal/json-input.js';
import * as must from '../sdk/internal/options.js';
import type { RawHostCall, RawTemplate, RawTemplatesModule } from './raw.js';
import type { LayerTemplate } from '../sdk/types/layer-template.js';
import type { Json, JsonInput } from '../sdk/types/json.js';
import type { TemplateOptions } from '../sdk/types/template.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';

const encoder = new TextEncoder();

/** The options of the package's own templates, and of a layer's template that is given as source. */
export const layerOptions: TemplateOptions = {
  trimBlocks: true,
  lstripBlocks: true,
  tojson: 'plain',
};

/** Returns what `LayerTemplate.renderLayer` returns after an error: the module talk reports it. */
export function failureOf(error: TemplateError): { ok: false; bytes: Uint8Array } {
  const { code, kind, message, template, line, column, offset, excerpt } = error;
  const templateError = { code, kind, message, template, line, column, offset, excerpt };
  return { ok: false, bytes: encoder.encode(JSON.stringify({ templateError })) };
}

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

/** What is known of a template besides its handle. */
interface Compiled {
  source: string;
  variables: string[];
  callsHost: boolean;
}

/** Implements `Template`. */
export class CompiledTemplate
  extends Handle<RawTemplate, RawTemplatesModule>
  implements LayerTemplate
{
  readonly source: string;
  readonly variables: string[];
  readonly callsHost: boolean;

  private constructor(
    instance: Instance<RawTemplatesModule>,
    raw: RawTemplate,
    { source, variables, callsHost }: Compiled,
  ) {
    super(instance, raw, 'template');
    this.source = source;
    this.variables = variables;
    this.callsHost = callsHost;
  }

  static compile(
    instance: Instance<RawTemplatesModule>,
    source: string,
    options: TemplateOptions,
  ): CompiledTemplate {
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
    const { raw, document } = construct<{ variables: string[] }, RawTemplate>(
      instance,
      parts,
      make,
    );
    self.raw = raw;
    const callsHost = names.filters.length > 0 || names.functions.length > 0;
    return new CompiledTemplate(instance, raw, { source, callsHost, ...document });
  }

  checkUsable(): void {
    void this.raw;
    this.instance.run(() => {});
  }

  renderLayer(variables: Uint8Array, now: string): { ok: boolean; bytes: Uint8Array } {
    const { raw } = this;
    try {
      const { bytes } = this.instance.call([variables, optionsPart({ now })], () => raw.render());
      return { ok: true, bytes };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return failureOf(error);
    }
  }

  render(context: JsonInput, options: { now?: string } = {}): string {
    const { raw } = this;
    const parts = [jsonPart(context), optionsPart(options)];
    return decodeUtf8(this.instance.call(parts, () => raw.render()).bytes);
  }
}
