// Declares the tools of a conversation to the model, finds them by name, and runs single calls of them.
import { abortable, promiseTry, Watch } from '../../internal/lifetime.js';
import { messageOf } from '../../internal/messages.js';
import { StrataError } from '../../internal/errors.js';
import { parseExact } from '../../internal/json-text.js';
import { valuePart, jsonText } from '../../internal/json-input.js';
import * as must from '../../internal/options.js';
import type { Diagnostic } from '../../types/diagnostic.js';
import type { Json } from '../../types/json.js';
import type { SchemaLike } from '../../types/schema.js';
import {
  isFunctionTool,
  isToolSource,
  MediaResult,
  type FunctionTool,
  type RawTool,
  type SchemaIssue,
  type Tool,
  type ToolCall,
  type ToolResponse,
  type ToolResult,
} from '../../types/tool.js';
import type { DeclaredSchemas, FitSchema } from './schema.js';
import { checkTool, isPausedCall, type PausedCall } from './tool.js';

// JSON omits what is undefined.
function declarationOf(tool: FunctionTool, schemas?: DeclaredSchemas) {
  const { name, description, parameters } = tool;
  const schema = schemas?.has(tool) ? schemas.get(tool) : tool.parametersJsonSchema;
  return { name, description, parameters, parametersJsonSchema: schema };
}

// Indexes functions by name. Throws if two have the same name.
function byName(functions: FunctionTool[]): Map<string, FunctionTool> {
  const found = new Map<string, FunctionTool>();
  for (const tool of functions) {
    const { name } = tool;
    if (found.has(name)) {
      const advice = 'rename one, or set `prefix` on its MCP server';
      throw new StrataError('tools.name_taken', `Two tools are named ${name}: ${advice}`);
    }
    found.set(name, tool);
  }
  return found;
}

function checkDiscovered(
  tools: (FunctionTool | RawTool)[],
  path: string,
): (FunctionTool | RawTool)[] {
  if (!Array.isArray(tools))
    throw must.invalidOption(path, 'a tool source whose `discover` returns an array');
  tools.forEach((tool) => checkTool(tool, `Each tool that ${path} discovers`));
  return tools;
}

/** The tools of one conversation. */
export interface DeclaredTools {
  /** The request's `tools` as JSON, with the same bytes each time; undefined without tools. */
  readonly json: string | undefined;
  /** Returns and clears the diagnostics that the sources emitted. */
  takeDiagnostics(): Diagnostic[];
  /** Returns the function with this name. */
  find(name: string): FunctionTool | undefined;
}

/** Implements `DeclaredTools` for tools of every kind. */
export class Toolbox implements DeclaredTools {
  readonly json: string | undefined;
  readonly #functions: Map<string, FunctionTool>;
  readonly #diagnostics: Diagnostic[];

  /** @throws StrataError `tools.name_taken` */
  constructor(
    tools: (FunctionTool | RawTool)[],
    diagnostics: Diagnostic[] = [],
    schemas?: DeclaredSchemas,
  ) {
    const functions = tools.filter(isFunctionTool);
    const functionDeclarations = functions.map((tool) => declarationOf(tool, schemas));
    const declared = functions.length > 0 ? [{ functionDeclarations }] : [];
    const all = [...declared, ...tools.filter((tool) => !isFunctionTool(tool))];
    this.json = all.length > 0 ? valuePart(all, '/tools') : undefined;
    this.#functions = byName(functions);
    this.#diagnostics = diagnostics;
  }

  /** Replaces each tool source with the tools that it discovers, and declares their schemas in the form of `fit`. */
  static async discover(tools: Tool[], fit: FitSchema, signal: AbortSignal): Promise<Toolbox> {
    const reported: Diagnostic[] = [];
    const emit = (diagnostic: Diagnostic) => void reported.push(diagnostic);
    const found = tools.map(async (tool, index) =>
      isToolSource(tool)
        ? checkDiscovered(await tool.discover({ signal, emit }), `/tools/${index}`)
        : [tool],
    );
    const all = (await Promise.all(found)).flat();
    const functions = all.filter(isFunctionTool);
    if (functions.every(({ schema }) => schema === undefined)) return new Toolbox(all, reported);
    const { declareSchemas } = await import('./schema.js');
    return new Toolbox(all, reported, declareSchemas(functions, fit, emit));
  }

  /** Checks the schemas of tools before the first request. Throws like `argumentsSchemaOf`. */
  static async check(tools: Tool[]): Promise<void> {
    const functions = tools.filter(isFunctionTool).filter(({ schema }) => schema !== undefined);
    if (functions.length === 0) return;
    const { argumentsSchemaOf } = await import('./schema.js');
    functions.forEach(argumentsSchemaOf);
  }

  takeDiagnostics(): Diagnostic[] {
    return this.#diagnostics.splice(0);
  }

  find(name: string): FunctionTool | undefined {
    return this.#functions.get(name);
  }
}

/** Called before a call runs: true runs it; a text is sent to the model as the error instead. */
export type ConfirmTool = (
  call: ToolCall,
  options: { signal: AbortSignal },
) => boolean | string | Promise<boolean | string>;

/** @internal */
export interface RunToolOptions {
  timeoutMs: number;
  confirm: ConfirmTool | undefined;
  /** Called with what does not match the tool's schema. The call then does not run. */
  onInvalid: (issues: SchemaIssue[]) => void;
  /** Called with what the tool threw or returned as an Error; the model receives only its message. */
  onError: (error: unknown) => void;
  /** Called if the tool returned undefined. */
  onNothing?: () => void;
}

/**
 * The response of a call that was aborted or never ran.
 *
 * @internal
 */
export const stopped: ToolResponse = { error: 'Stopped before it finished.' };

/**
 * Runs a call. Never rejects: an abort yields a response as well, so that every call gets one. A tool that throws
 * PausedCall yields it, unless the send was aborted.
 *
 * @internal
 */
export async function runTool(
  tool: FunctionTool | undefined,
  call: ToolCall,
  options: RunToolOptions,
  signal: AbortSignal,
): Promise<ToolResponse | PausedCall> {
  if (!tool) return { error: `There is no tool named ${call.name}.` };
  const { schema } = tool;
  const { confirm, onInvalid, onError } = options;
  try {
    const valid = schema ? await validated(schema, call, signal) : { value: call.args };
    if (valid.issues) {
      onInvalid(valid.issues);
      return { error: `Not run: the arguments do not match. ${valid.text}` };
    }
    const args = valid.value as ToolCall['args'];
    const refusal = await confirmCall(tool, call, confirm, signal);
    if (refusal !== undefined) return { error: refusal };
    const result = await runWithTimeout(tool, call, args, options.timeoutMs, signal);
    if (result instanceof Error) onError(result);
    else if (result === undefined) options.onNothing?.();
    return responseOf(result);
  } catch (error) {
    if (signal.aborted) return stopped;
    if (isPausedCall(error)) return error;
    onError(error);
    return { error: messageOf(error) };
  }
}

async function validated(schema: SchemaLike, { args }: ToolCall, signal: AbortSignal) {
  const { issuesText, validate } = await import('./schema.js');
  const result = await abortable(validate(schema, args), signal);
  return result.issues ? { ...result, text: issuesText(result.issues) } : result;
}

async function confirmCall(
  tool: FunctionTool,
  call: ToolCall,
  confirm: ConfirmTool | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  // No time limit of its own, because a person answers.
  const watch = new Watch(signal, 0, Error);
  try {
    const { confirm: required = false } = tool;
    const mustConfirm =
      typeof required === 'function'
        ? await watch.wait(promiseTry(() => required(call)))
        : required;
    if (!mustConfirm) return undefined;
    if (!confirm) return 'This tool needs a confirmation, and there is nobody to ask.';
    const answer = await watch.wait(promiseTry(() => confirm(call, { signal: watch.signal })));
    if (answer === true) return undefined;
    // Only `true` itself runs the call.
    return typeof answer === 'string' ? answer : 'The user declined this call.';
  } finally {
    watch.release();
  }
}

async function runWithTimeout(
  tool: FunctionTool,
  call: ToolCall,
  args: ToolCall['args'],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const ms = tool.timeoutMs ?? timeoutMs;
  const watch = new Watch(signal, ms, () => new Error(`${call.name} took longer than ${ms} ms.`));
  const run = promiseTry(() => tool.run(args, { signal: watch.signal, call }));
  return watch.waitLast(run);
}

function responseOf(result: ToolResult): ToolResponse {
  if (result instanceof Error) return { error: messageOf(result) };
  if (!(result instanceof MediaResult)) return { output: snapshot(result) };
  return { output: snapshot(result.output), parts: snapshot(result.parts) };
}

// Copies a value as JSON, with bytes as base64, because the tool may change it later.
function snapshot<Known = Json>(value: unknown): Known {
  if (['function', 'symbol'].includes(typeof value))
    throw new TypeError(`JSON cannot represent a ${typeof value}`);
  return parseExact(jsonText(value) ?? 'null') as Known;
}

interface Finished<Item, Result> {
  item: Item;
  result: Result;
}

/** Runs `work` for each item, at most `limit` at once. Yields results in the order in which they finish. */
export async function* inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Finished<Item, Result>, void, void> {
  const running = new Map<Item, Promise<Finished<Item, Result>>>();
  const waiting = [...items];
  const start = (item: Item) => {
    const finished = work(item).then((result) => ({ item, result }));
    // The caller may stop iterating before this one rejects.
    finished.catch(() => {});
    running.set(item, finished);
  };
  waiting.splice(0, Math.max(1, limit)).forEach(start);
  while (running.size > 0) {
    const finished = await Promise.race(running.values());
    running.delete(finished.item);
    waiting.splice(0, 1).forEach(start);
    yield finished;
  }
}
