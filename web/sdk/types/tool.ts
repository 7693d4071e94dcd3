// Why this file exists: what a tool is: its declaration, its function, and what may come out of it.
import type { Diagnostic } from './diagnostic.js';
import type { Json } from './json.js';

/** A functionCall of the model; `id` only where the API gave one. */
export interface ToolCall {
  name: string;
  id?: string;
  args: { [name: string]: Json };
}

/** A part of a result that is no JSON: an image, a PDF, plain text. Gemini 3 and newer read them. */
export interface ResultPart {
  inlineData: { mimeType: string; data: string; displayName?: string };
}

/** The same as a tool may give it. */
export interface MediaPart {
  inlineData: { mimeType: string; data: string | Uint8Array; displayName?: string };
}

/** What the model is told: the result, or why there is none. */
export type ToolResponse = ({ output: Json } | { error: string }) & { parts?: ResultPart[] };

/**
 * A result with media, for `run` to return: base64, or bytes. `output` may point at a part by
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
 * What `run` may give: anything that JSON has a form for, also where its type is an interface of yours. Bytes
 * become base64, nothing becomes null.
 */
export type ToolResult = Json | object | undefined | void;

/** What `run` is told besides the arguments. */
export interface ToolContext {
  /** Aborts with the send that caused the call, and after its time. */
  signal: AbortSignal;
  call: ToolCall;
}

/** A function declaration and the function. */
export interface FunctionTool {
  name: string;
  description?: string;
  /** The arguments in the API's schema dialect, or as JSON Schema; one of them or none. */
  parameters?: { [key: string]: Json };
  parametersJsonSchema?: Json;
  /** Runs the call. What it throws is told to the model as `{ error: message }`. */
  run: (args: ToolCall['args'], context: ToolContext) => ToolResult | Promise<ToolResult>;
  /** Asks `confirmTool` before each call, or before those that this function picks. */
  confirm?: boolean | ((call: ToolCall) => boolean | Promise<boolean>);
  /** Milliseconds for one call; 0: no limit. Default: `toolTimeoutMs` of the conversation. */
  timeoutMs?: number;
  /**
   * `false`: a call that a crash interrupted is not run again; the model is told that nobody knows whether
   * it took effect. Needs a store. Default: true.
   */
  idempotent?: boolean;
}

/** One of the API's own tool objects, such as `{ googleSearch: {} }`; calls of functions declared here get an error. */
export interface RawTool {
  [key: string]: Json;
}

/** Finds its tools when the conversation first sends: an MCP server, a registry, a folder. */
export interface ToolSource {
  /** What `tell` gets is an event of the send, such as a name that had to change. */
  discover: (options: {
    signal: AbortSignal;
    emit: (diagnostic: Diagnostic) => void;
  }) => (FunctionTool | RawTool)[] | Promise<(FunctionTool | RawTool)[]>;
}

/** Anything that the option `tools` takes. */
export type Tool = FunctionTool | RawTool | ToolSource;

export function isFunctionTool(tool: Tool): tool is FunctionTool {
  return typeof tool['run' as keyof Tool] === 'function';
}

export function isToolSource(tool: Tool): tool is ToolSource {
  return typeof tool['discover' as keyof Tool] === 'function';
}
