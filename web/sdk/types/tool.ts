// Defines tools: their declarations, their functions, and their results.
import type { Diagnostic } from './diagnostic.js';
import type { ApiTool, Schema } from './gemini/tools.js';
import type { Json } from './json.js';
import type { InferOutput, SchemaLike } from './schema.js';

/** A functionCall of the model. `id` is present only if the API sent one. */
export interface ToolCall {
  name: string;
  id?: string;
  args: { [name: string]: Json };
}

/** A Part of a functionResponse that is not JSON: an image, a PDF, or plain text, base64. Requires Gemini 3 or newer. */
export interface ResultPart {
  inlineData: { mimeType: string; data: string; displayName?: string };
}

/** A `ResultPart` whose data may also be bytes. */
export interface MediaPart {
  inlineData: { mimeType: string; data: string | Uint8Array; displayName?: string };
}

/** What the model receives for a call: the result, or an error message. */
export type ToolResponse = (
  { output: Json; error?: undefined } | { error: string; output?: undefined }
) & { parts?: ResultPart[] };

/**
 * A result with media, to return from `run`. Data is base64 or bytes. `output` may refer to a part with
 * `{ "$ref": "<displayName>" }`.
 *
 * @example
 * run: async () => new MediaResult('The chart.', [{ inlineData: { mimeType: 'image/png', data } }])
 */
export class MediaResult {
  readonly output: ToolResult;
  readonly parts: MediaPart[];

  constructor(output: ToolResult, parts: MediaPart[]) {
    this.output = output;
    this.parts = parts;
  }
}

/**
 * What `run` may return: any value that JSON can represent, including objects typed as interfaces. Bytes become
 * base64, `undefined` becomes null.
 */
export type ToolResult = Json | object | undefined | void;

/** The second argument of `run`. */
export interface ToolContext {
  /** Aborts when the send aborts or the call exceeds its time limit. */
  signal: AbortSignal;
  call: ToolCall;
}

/**
 * A function that the model can call: its declaration and its implementation. Define it with `tool`, which derives
 * the type of the arguments.
 *
 * @example
 * const weather: FunctionTool = {
 *   name: 'get_weather',
 *   description: 'The weather in a city',
 *   parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
 *   run: async ({ city }) => ({ city, celsius: 4 }),
 * };
 */
export interface FunctionTool {
  name: string;
  description?: string;
  /**
   * The arguments: a schema of a validator library or a JSON Schema. It is declared as JSON Schema in the form that
   * the model takes. The arguments of a call are validated with it, and `run` receives what it yields. Arguments
   * that do not match are answered with an error, and are the event `invalidArguments`.
   */
  schema?: SchemaLike;
  /** The arguments in the API's schema dialect. Set this, `parametersJsonSchema` or `schema`. */
  parameters?: Schema;
  /** The arguments as JSON Schema, declared as it is. With `schema`: declared in its place. */
  parametersJsonSchema?: unknown;
  /** Runs the call. The model receives what it throws as `{ error: message }`. */
  run: (args: ToolCall['args'], context: ToolContext) => ToolResult | Promise<ToolResult>;
  /** Whether `confirmTool` must approve a call before it runs: always, or if the function returns true. */
  confirm?: boolean | ((call: ToolCall) => boolean | Promise<boolean>);
  /** The time limit of one call in milliseconds; 0 means no limit. Default: `toolTimeoutMs` of the conversation. */
  timeoutMs?: number;
  /**
   * Whether a call that a crash interrupted may run again. If false, the model receives an error that the
   * outcome is unknown. Has an effect only with a store. Default: true.
   */
  idempotent?: boolean;
}

/** A definition for `tool`: a `FunctionTool` whose `run` receives what `schema` yields. */
export interface ToolDefinition<Schema extends SchemaLike> extends Omit<
  FunctionTool,
  'parameters' | 'schema' | 'run'
> {
  /** The arguments: a schema of a validator library, or a JSON Schema. See `FunctionTool.schema`. */
  schema: Schema;
  /** Runs the call with valid arguments. The model receives what it throws as `{ error: message }`. */
  run: (args: ToolArguments<Schema>, context: ToolContext) => ToolResult | Promise<ToolResult>;
}

/** The type of the arguments that `run` receives. A JSON Schema of which only the type `JsonSchema` is known yields an object. */
export type ToolArguments<Schema> =
  Json extends InferOutput<Schema> ? ToolCall['args'] : InferOutput<Schema>;

/** What does not match a schema, in the words of the validator. */
export interface SchemaIssue {
  /** A JSON Pointer (RFC 6901) into the value. `''` is the whole value. */
  path: string;
  message: string;
}

/** One of the API's own tools, such as `{ googleSearch: {} }`. Functions need `run`, so they are a `FunctionTool`. */
export type RawTool = Omit<ApiTool, 'functionDeclarations'> & { functionDeclarations?: undefined };

/** Discovers its tools when the conversation first sends, e.g. an MCP server, a registry, or a folder. */
export interface ToolSource {
  /** Returns the tools. `emit` reports a diagnostic as an event of the send, e.g. about a changed name. */
  discover: (options: {
    signal: AbortSignal;
    emit: (diagnostic: Diagnostic) => void;
  }) => (FunctionTool | RawTool)[] | Promise<(FunctionTool | RawTool)[]>;
}

/** An element of the option `tools`. */
export type Tool = FunctionTool | RawTool | ToolSource;

export function isFunctionTool(tool: Tool): tool is FunctionTool {
  return 'run' in tool && typeof tool.run === 'function';
}

export function isToolSource(tool: Tool): tool is ToolSource {
  return 'discover' in tool && typeof tool.discover === 'function';
}
