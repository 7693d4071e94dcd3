// Why this file exists: a connection to an MCP server can be ended at any time: while it is made, while it
// stands, and when the server no longer answers. The protocol is the official SDK's concern, which is loaded
// with the first connection and not before.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StrataError } from '../base/errors.js';
import { version } from '../base/version.js';

/** Where the server is, and how it is asked. */
export interface McpAddress {
  url: string | URL;
  /** Sent with every request: `{ authorization: 'Bearer …' }`. */
  headers?: { [name: string]: string };
  /** Default: the global one. */
  fetch?: typeof fetch;
}

// What a server may take to end a session, in milliseconds.
const farewellMs = 3000;

/** One connection; another one needs another object. */
export class McpConnection {
  /** The protocol's client, once it can be asked. */
  readonly ready: Promise<Client>;
  #client: Client | undefined;
  #transport: StreamableHTTPClientTransport | undefined;
  #closed = false;

  /** `onEnd` is told when it could not be made and when it is over. */
  constructor(address: McpAddress, onEnd: () => void) {
    this.ready = this.#connect(address, onEnd);
    this.ready.catch(onEnd);
  }

  /** Ends the session on the server, too. What goes wrong with that is nobody's concern any more. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    const limit = setTimeout(() => void client?.close(), farewellMs);
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
      const message = 'MCP needs the package @modelcontextprotocol/sdk beside this one';
      throw new StrataError('mcp.unavailable', message, [], cause);
    });
    if (this.#closed) throw new StrataError('mcp.closed', 'The MCP server was closed meanwhile');
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
