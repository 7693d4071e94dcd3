// Connects to an MCP server. A connection can be closed at any time: while connecting, while open, and when the
// server does not respond. The official SDK implements the protocol; it is loaded with the first connection.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Fetch } from '../../sdk/types/platform.js';
import { StrataError } from '../../sdk/internal/errors.js';
import { version } from '../../sdk/internal/version.js';

/** The address of a server and how to reach it. */
export interface McpAddress {
  url: string | URL;
  /** Sent with every request: `{ authorization: 'Bearer …' }`. */
  headers?: { [name: string]: string };
  /** Default: the global `fetch`. */
  fetch?: Fetch;
}

/** The protocol's client. */
export type McpClient = Client;

// How long a server may take to end a session, in milliseconds.
const closeTimeoutMs = 3000;

/**
 * One connection; create a new object to reconnect.
 *
 * @internal
 */
export class McpConnection {
  /** Resolves to the protocol's client once it is connected. */
  readonly ready: Promise<Client>;
  #client: Client | undefined;
  #transport: StreamableHTTPClientTransport | undefined;
  #running = 0;
  #onRetired: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  /** `onEnd` is called when connecting fails and when the connection closes. */
  constructor(address: McpAddress, onEnd: () => void) {
    this.ready = this.#connect(address, onEnd);
    this.ready.catch(onEnd);
  }

  /** Runs an action with the protocol's client. */
  async use<Result>(action: (client: Client) => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await action(await this.ready);
    } finally {
      this.#running -= 1;
      this.#closeUnused();
    }
  }

  /** Closes the connection as soon as no action uses it, and then calls `onClosed`. */
  retire(onClosed: () => void): void {
    this.#onRetired = onClosed;
    this.#closeUnused();
  }

  #closeUnused(): void {
    if (this.#onRetired && this.#running === 0) void this.close().then(this.#onRetired);
  }

  /** Closes the connection and ends the session on the server; errors are ignored. */
  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    const client = this.#client;
    const limit = setTimeout(() => void client?.close(), closeTimeoutMs);
    await this.#transport?.terminateSession().catch(() => {});
    clearTimeout(limit);
    await client?.close();
    await this.ready.catch(() => {});
  }

  async #connect({ url, headers = {}, fetch }: McpAddress, onEnd: () => void): Promise<Client> {
    const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/index.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    ]).catch((cause: unknown) => {
      const message =
        'MCP requires the package @modelcontextprotocol/sdk; install it as a dependency';
      throw new StrataError('mcp.unavailable', message, [], cause);
    });
    if (this.#closing) throw new StrataError('mcp.closed', 'The MCP server was closed meanwhile');
    const client = new Client({ name: 'prompt-strata', version });
    client.onclose = onEnd;
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      ...(fetch ? { fetch } : {}),
    });
    [this.#client, this.#transport] = [client, transport];
    await client.connect(transport);
    return client;
  }
}
