// Why this file exists: the tools of an MCP server are tools like any other.
import * as must from '../base/options.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Json } from '../types/json.js';
import { McpConnection, type McpAddress } from './mcp-connection.js';
import { declarer } from './mcp-names.js';
import { MediaResult, type FunctionTool, type ResultPart, type ToolSource } from '../types/tool.js';

/** An MCP server that speaks streamable HTTP. */
export interface McpServerOptions extends McpAddress {
  /** Stands before each tool's name, so that two servers may have tools of one name. Default: none. */
  prefix?: string;
  /** Which of its tools are declared. Default: all. */
  include?: (name: string) => boolean;
  /** Asks `confirmTool` before each call, or before those that this function picks. */
  confirm?: FunctionTool['confirm'];
}

const serverOptions: must.Shape<McpServerOptions> = {
  url: must.required(must.anything),
  headers: must.optional(must.recordOf(must.optional(must.string))),
  prefix: must.optional(must.string),
  include: must.optional(must.func),
  confirm: must.booleanOr(must.optional(must.func)),
  fetch: must.optional(must.func),
};

interface McpTool {
  name: string;
  description?: string | undefined;
  inputSchema: { [key: string]: unknown };
}

type McpContent = { type: string; [key: string]: unknown };

// What a functionResponse may carry; the rest is told in words.
const readableMedia = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/;

// A tool without arguments is declared without parameters; `$schema` is a field that the API refuses.
function schemaOf({ inputSchema }: McpTool): { parametersJsonSchema?: Json } {
  const { $schema: _, ...schema } = inputSchema;
  const { properties } = schema;
  if (Object.keys(Object(properties)).length === 0) return {};
  return { parametersJsonSchema: schema as Json };
}

function markedName(from: string, name: string): Diagnostic {
  const message = `The tool "${from}" is declared as ${name}: another one has the name that it would get`;
  return { code: 'tools.name_changed', severity: 'info', path: '/tools', message };
}

// The server answered, and said that the tool failed.
class ToolFailure extends Error {}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function mediaPart(data: unknown, mimeType: unknown): ResultPart | string {
  const [bytes, type] = [textOf(data), textOf(mimeType) ?? 'application/octet-stream'];
  if (bytes !== undefined && readableMedia.test(type)) {
    return { inlineData: { mimeType: type, data: bytes } };
  }
  return `[${type}, ${bytes?.length ?? 0} characters of base64, left out]`;
}

function partOf(content: McpContent): ResultPart | string {
  if (content.type === 'text') return textOf(content['text']) ?? '';
  if (content.type === 'image' || content.type === 'audio') {
    return mediaPart(content['data'], content['mimeType']);
  }
  const { text, blob, mimeType } = Object(content['resource']);
  if (blob !== undefined) return mediaPart(blob, mimeType);
  return textOf(text) ?? JSON.stringify(content);
}

/** An MCP result as a tool's: its structure where it has one, its texts, its media as parts. */
export function resultOf(result: {
  content?: McpContent[];
  structuredContent?: unknown;
  isError?: boolean;
}): Json | MediaResult {
  const parts = (result.content ?? []).map(partOf);
  const text = parts.filter((part) => typeof part === 'string').join('\n');
  if (result.isError) throw new ToolFailure(text || 'The tool failed and did not say why.');
  const media = parts.filter((part) => typeof part !== 'string');
  const output = (result.structuredContent as Json | undefined) ?? text;
  return media.length > 0 ? new MediaResult(output, media) : output;
}

/**
 * The tools of an MCP server, for the option `tools`. It connects when they are needed; a connection that
 * failed is made anew by the next call. Needs the package `@modelcontextprotocol/sdk`.
 *
 * @example
 * const files = new McpServer({ url: 'https://example.com/mcp', prefix: 'files_' });
 * const chat = new Conversation(strata, client, { model, tools: [files] });
 */
export class McpServer implements ToolSource {
  readonly #options: McpServerOptions;
  #connection: McpConnection | undefined;

  constructor(options: McpServerOptions) {
    must.checkOptions(options, serverOptions);
    this.#options = options;
  }

  /** Asks the server what it has, all pages of it. `emit` receives a diagnostic for each name that was changed to be unique. */
  async discover({
    signal,
    emit,
  }: {
    signal: AbortSignal;
    emit?: (diagnostic: Diagnostic) => void;
  }): Promise<FunctionTool[]> {
    const { include = () => true, prefix = '' } = this.#options;
    const tools = (await this.#list(signal)).filter(({ name }) => include(name));
    const declared = declarer(tools.map(({ name }) => prefix + name));
    return tools.map((tool) => {
      const { name, marked } = declared(prefix + tool.name);
      if (marked) emit?.(markedName(tool.name, name));
      return this.#toolOf(tool, name);
    });
  }

  /** Ends the session and the connection, also one that is being made; a later call makes another. */
  async close(): Promise<void> {
    await this.#end(this.#connection);
  }

  async #list(signal: AbortSignal): Promise<McpTool[]> {
    const client = await this.#connected().ready;
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools;
  }

  #toolOf(tool: McpTool, name: string): FunctionTool {
    const { confirm } = this.#options;
    return {
      name,
      ...(tool.description === undefined ? {} : { description: tool.description }),
      ...schemaOf(tool),
      ...(confirm === undefined ? {} : { confirm }),
      run: (args, { signal }) => this.#call(tool.name, args, signal),
    };
  }

  async #call(name: string, args: { [name: string]: Json }, signal: AbortSignal) {
    const connection = this.#connected();
    const client = await connection.ready;
    // How long a call may take is the conversation's to say; this limit only ends what it forgot.
    const limits = { signal, timeout: 3_600_000 };
    try {
      const result = await client.callTool({ name, arguments: args }, undefined, limits);
      return resultOf(result as Parameters<typeof resultOf>[0]);
    } catch (error) {
      // What the protocol itself did not say, the connection did.
      if (Object(error).name !== 'McpError' && !(error instanceof ToolFailure)) {
        void this.#end(connection);
      }
      throw error;
    }
  }

  async #end(connection: McpConnection | undefined): Promise<void> {
    this.#forget(connection);
    await connection?.close();
  }

  // By now another connection may have taken its place.
  #forget(connection: McpConnection | undefined): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  #connected(): McpConnection {
    if (this.#connection) return this.#connection;
    const made: McpConnection = new McpConnection(this.#options, () => this.#forget(made));
    this.#connection = made;
    return made;
  }
}
