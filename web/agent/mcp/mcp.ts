// Provides the tools of an MCP server as tools of a conversation.
import { Watch } from '../../sdk/internal/lifetime.js';
import { StrataError } from '../../sdk/internal/errors.js';
import { shortHash } from '../../sdk/internal/bytes.js';
import * as must from '../../sdk/internal/options.js';
import type { Diagnostic } from '../../sdk/types/diagnostic.js';
import type { Json } from '../../sdk/types/json.js';
import { McpConnection, type McpAddress, type McpClient } from './mcp-connection.js';
import { acceptsNothing, jsonSchemaOf } from '../../sdk/chat/tools/schema.js';
import {
  MediaResult,
  type FunctionTool,
  type ResultPart,
  type ToolSource,
} from '../../sdk/types/tool.js';

/** Options of an MCP server with the streamable HTTP transport. */
export interface McpServerOptions extends McpAddress {
  /** Prepended to each tool's name, so that two servers may have tools of the same name. Default: none. */
  prefix?: string;
  /** Returns whether to declare a tool. Default: all tools. */
  include?: (name: string) => boolean;
  /** Calls `confirmTool` before each call, or before the calls for which this function returns true. */
  confirm?: FunctionTool['confirm'];
}

const serverOptions: must.Shape<McpServerOptions> = {
  url: must.required(must.unchecked),
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

// MIME types that a functionResponse may carry; other media are described as text.
const readableMedia = /^(image\/(png|jpeg|webp)|application\/pdf|text\/plain)$/;

function schemaOf({ inputSchema }: McpTool): { parametersJsonSchema?: Json } {
  const schema = jsonSchemaOf(inputSchema, '/inputSchema');
  return acceptsNothing(schema) ? {} : { parametersJsonSchema: schema };
}

function nameChanged(original: string, name: string): Diagnostic {
  const message = `The tool "${original}" is declared as ${name}, because another tool already has its name`;
  return { code: 'tools.name_changed', severity: 'info', path: '/tools', message };
}

// A server whose pages have no end. Gemini takes far fewer functions.
const maxPages = 1000;
const maxTools = 10_000;

function endless(count: number, repeats: boolean): StrataError {
  const why = repeats ? 'a cursor that it has sent before' : 'more pages than can be read';
  return new StrataError(
    'mcp.endless',
    `The MCP server has listed ${count} tools and sends ${why}`,
  );
}

// The SDK leaves its listener at the signal that it is given, so each request has its own.
async function listPage(client: McpClient, cursor: string | undefined, parent: AbortSignal) {
  const watch = new Watch(parent, 0, () => new Error());
  const { signal } = watch;
  return watch.waitLast(client.listTools(cursor === undefined ? {} : { cursor }, { signal }));
}

// The tool failed, but the connection works.
class ToolFailure extends Error {}

// An error that is neither the protocol's nor the tool's.
const isConnectionError = (error: unknown) =>
  Object(error).name !== 'McpError' && !(error instanceof ToolFailure);

// The server did nothing, and a new session has to begin: https://modelcontextprotocol.io/specification/latest/basic/transports
// (Session Management, 4). Older versions of the SDK name the status in the message only.
const isForgottenSession = (error: unknown) => {
  const { code, message } = Object(error);
  return code === 404 || /\(HTTP 404\)/.test(String(message));
};

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

/** Converts an MCP result: `structuredContent` or the joined texts as output, media as parts. */
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
 * The tools of an MCP server, for the option `tools`. Connects when the tools are first needed, again with the next
 * call after a connection failed, and at once if the server has forgotten the session. Requires the package
 * `@modelcontextprotocol/sdk`.
 *
 * @example
 * const files = new McpServer({ url: 'https://example.com/mcp', prefix: 'files_' });
 * const chat = new Conversation(strata, client, { model, tools: [files] });
 */
export class McpServer implements ToolSource {
  readonly #options: McpServerOptions;
  #connection: McpConnection | undefined;
  /** Connections that failed, on which calls may still run. */
  readonly #retired = new Set<McpConnection>();

  /** @throws StrataError `field.unknown` or `field.invalid` for an invalid option */
  constructor(options: McpServerOptions) {
    must.checkOptions(options, serverOptions);
    this.#options = options;
  }

  /**
   * Lists all tools of the server. `emit` receives a diagnostic for each name that was changed to be unique.
   *
   * @throws StrataError `mcp.unavailable` without @modelcontextprotocol/sdk, `mcp.closed` after `close` while it
   *   connects, `mcp.endless` for pages without end
   * @throws the SDK’s error if the server cannot be reached or refuses
   */
  async discover({
    signal,
    emit,
  }: {
    signal: AbortSignal;
    emit?: (diagnostic: Diagnostic) => void;
  }): Promise<FunctionTool[]> {
    const { include = () => true, prefix = '' } = this.#options;
    const tools = (await this.#list(signal)).filter(({ name }) => include(name));
    const nameOf = nameAssigner(tools.map(({ name }) => prefix + name));
    return tools.map((tool) => {
      const { name, suffixed } = nameOf(prefix + tool.name);
      if (suffixed) emit?.(nameChanged(tool.name, name));
      return this.#toolOf(tool, name);
    });
  }

  /** Closes the session and the connection, even while it connects, and ends all calls. A later call connects again. */
  async close(): Promise<void> {
    const open = [...this.#retired, ...(this.#connection ? [this.#connection] : [])];
    this.#retired.clear();
    this.#dropConnection(this.#connection);
    await Promise.all(open.map((connection) => connection.close()));
  }

  #list(signal: AbortSignal): Promise<McpTool[]> {
    return this.#use(signal, async (client) => {
      const tools: McpTool[] = [];
      const cursors = new Set<string>();
      for (let cursor: string | undefined; ;) {
        const page = await listPage(client, cursor, signal);
        tools.push(...page.tools);
        cursor = page.nextCursor;
        if (cursor === undefined) return tools;
        if (cursors.has(cursor) || cursors.size === maxPages || tools.length > maxTools)
          throw endless(tools.length, cursors.has(cursor));
        cursors.add(cursor);
      }
    });
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

  #call(name: string, args: { [name: string]: Json }, signal: AbortSignal) {
    // The conversation limits the time of a call; this only overrides the MCP SDK's shorter default.
    const limits = { signal, timeout: 3_600_000 };
    return this.#use(signal, async (client) => {
      const result = await client.callTool({ name, arguments: args }, undefined, limits);
      return resultOf(result as Parameters<typeof resultOf>[0]);
    });
  }

  // A connection that failed is replaced. Other calls may still end on it.
  async #use<Result>(
    signal: AbortSignal,
    action: (client: McpClient) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#connection;
    const connection = this.#connect();
    try {
      return await connection.use(action);
    } catch (error) {
      if (signal.aborted || !isConnectionError(error)) throw error;
      this.#dropConnection(connection);
      this.#retired.add(connection);
      connection.retire(() => this.#retired.delete(connection));
      if (!known || !isForgottenSession(error)) throw error;
      return await this.#use(signal, action);
    }
  }

  // Keeps a newer connection that replaced this one.
  #dropConnection(connection: McpConnection | undefined): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  #connect(): McpConnection {
    if (this.#connection) return this.#connection;
    const connection: McpConnection = new McpConnection(this.#options, () =>
      this.#dropConnection(connection),
    );
    this.#connection = connection;
    return connection;
  }
}

// The limits of FunctionDeclaration.name: https://ai.google.dev/api/caching#FunctionDeclaration
const maxLength = 64;

function sanitize(name: string): string {
  const allowed = name.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, maxLength);
  return /^[A-Za-z_]/.test(allowed) ? allowed : `_${allowed}`.slice(0, maxLength);
}

/** A name that Gemini accepts; `suffixed` if a suffix makes it unique. */
interface DeclaredName {
  name: string;
  suffixed: boolean;
}

/**
 * Gemini allows fewer characters in a name than MCP, so that different MCP names may need a suffix to stay different.
 * Returns a function that maps each of a server's tool names to the name to declare. If two tools would get
 * the same name, those whose original name differs from it get a suffix, a hash of the original name.
 */
function nameAssigner(names: readonly string[]): (name: string) => DeclaredName {
  const wanted = names.map(sanitize);
  return (original) => {
    const name = sanitize(original);
    const isShared = wanted.indexOf(name) !== wanted.lastIndexOf(name);
    if (original === name || !isShared) return { name, suffixed: false };
    const suffix = `_${shortHash(original)}`;
    return { name: name.slice(0, maxLength - suffix.length) + suffix, suffixed: true };
  };
}
