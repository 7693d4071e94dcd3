// Why this file exists: the tools of an MCP server are tools like any other. The protocol is the official
// SDK's concern; it is loaded with the first connection and not before.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StrataError } from '../errors.js';
import * as must from '../options.js';
import type { Json } from '../types.js';
import { MediaResult, type FunctionTool, type ResultPart, type ToolSource } from './tool.js';
import { version } from '../version.js';

/** An MCP server that speaks streamable HTTP. */
export interface McpServerOptions {
  url: string | URL;
  /** Sent with every request: `{ authorization: 'Bearer …' }`. */
  headers?: { [name: string]: string };
  /** Stands before each tool's name, so that two servers may have tools of one name. Default: none. */
  prefix?: string;
  /** Which of its tools are declared. Default: all. */
  include?: (name: string) => boolean;
  /** Asks `confirmTool` before each call, or before those that this function picks. */
  confirm?: FunctionTool['confirm'];
  /** Default: the global one. */
  fetch?: typeof fetch;
}

const serverOptions: must.Shape<McpServerOptions> = {
  url: must.given(must.anything),
  headers: must.mapOf(must.text),
  prefix: must.text,
  include: must.callable,
  confirm: must.flagOr(must.callable),
  fetch: must.callable,
};

interface McpTool {
  name: string;
  description?: string | undefined;
  inputSchema: { [key: string]: unknown };
}

type McpContent = { type: string; [key: string]: unknown };

// What a functionResponse may carry; the rest is told in words.
const readableMedia = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/;

/** Gemini takes fewer characters in a name than MCP does. */
function declaredName(prefix: string, name: string): string {
  const named = `${prefix}${name}`.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 64);
  return /^[A-Za-z_]/.test(named) ? named : `_${named}`.slice(0, 64);
}

// A tool without arguments is declared without parameters; `$schema` is a field that the API refuses.
function schemaOf({ inputSchema }: McpTool): { parametersJsonSchema?: Json } {
  const { $schema: _, ...schema } = inputSchema;
  const { properties } = schema;
  if (Object.keys(Object(properties)).length === 0) return {};
  return { parametersJsonSchema: schema as Json };
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
  #client: Promise<Client> | undefined;

  constructor(options: McpServerOptions) {
    must.checkOptions(options, serverOptions);
    this.#options = options;
  }

  /** Asks the server what it has, all pages of it. */
  async discover({ signal }: { signal: AbortSignal }): Promise<FunctionTool[]> {
    const { include = () => true } = this.#options;
    const client = await this.#connected();
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { signal });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools.filter(({ name }) => include(name)).map((tool) => this.#toolOf(tool));
  }

  /** Ends the connection; a later call makes another. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await (await client)?.close();
  }

  #toolOf(tool: McpTool): FunctionTool {
    const { prefix = '', confirm } = this.#options;
    return {
      name: declaredName(prefix, tool.name),
      ...(tool.description === undefined ? {} : { description: tool.description }),
      ...schemaOf(tool),
      ...(confirm === undefined ? {} : { confirm }),
      run: (args, { signal }) => this.#call(tool.name, args, signal),
    };
  }

  async #call(name: string, args: { [name: string]: Json }, signal: AbortSignal) {
    const client = await this.#connected();
    // How long a call may take is the conversation's to say; this limit only ends what it forgot.
    const limits = { signal, timeout: 3_600_000 };
    try {
      const result = await client.callTool({ name, arguments: args }, undefined, limits);
      return resultOf(result as Parameters<typeof resultOf>[0]);
    } catch (error) {
      // What the protocol itself did not say, the connection did.
      if (Object(error).name !== 'McpError' && !(error instanceof ToolFailure)) this.#forget();
      throw error;
    }
  }

  #forget(): void {
    this.#client?.then((client) => client.close()).catch(() => {});
    this.#client = undefined;
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    this.#client.catch(() => (this.#client = undefined));
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const { url, headers = {}, fetch } = this.#options;
    const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ]).catch((cause: unknown) => {
      const message = 'MCP needs the package @modelcontextprotocol/sdk beside this one';
      throw new StrataError('mcp.unavailable', message, [], cause);
    });
    const client = new Client({ name: 'prompt-strata', version });
    client.onclose = () => (this.#client = undefined);
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(fetch ? { fetch } : {}),
    });
    await client.connect(transport);
    return client;
  }
}
