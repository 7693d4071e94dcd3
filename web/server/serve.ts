// Starts a server of Node's http that answers with a handler.
import { createServer } from 'node:http';
import { StrataError } from '../sdk/internal/errors.js';
import * as must from '../sdk/internal/options.js';
import type { FetchHandler } from '../sdk/types/platform.js';
import { toNodeHandler, type NodeHandlerOptions } from './node-handler.js';

/** Options of `serve`. */
export interface ServeOptions extends NodeHandlerOptions {
  /** The port. Default: 0, any free one. */
  port?: number;
  /** The address. Default: `127.0.0.1`, which only this computer reaches. `0.0.0.0` is open to the network. */
  host?: string;
}

const serveOptions: must.Shape<ServeOptions> = {
  port: must.unchecked,
  host: must.optional(must.nonEmptyString),
  onError: must.optional(must.func),
};

/** A running server. */
export interface RunningServer {
  /** The address, such as `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Ends the server and all connections. */
  close(): Promise<void>;
}

/**
 * Starts a server in Node, Bun or Deno that answers with a handler. Other frameworks call the handler themselves, or
 * use `toNodeHandler`.
 *
 * @throws StrataError `server.unavailable` if the port is in use or not allowed; `field.unknown` or `field.invalid` for
 *   an invalid option
 * @example
 * const server = await serve(createEmulator(), { port: 8080 });
 * console.log(server.url); // http://127.0.0.1:8080
 * await server.close();
 */
export async function serve(
  handler: FetchHandler,
  options: ServeOptions = {},
): Promise<RunningServer> {
  must.checkOptions(options, serveOptions);
  const { port = 0, host = '127.0.0.1', ...others } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw must.invalidOption('/port', 'an integer from 0 to 65535');
  const server = createServer(toNodeHandler(handler, others));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(notStarted(error, host, port)));
    server.listen(port, host, () => resolve());
  });
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${actual}`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function notStarted(error: Error & { code?: string }, host: string, port: number): StrataError {
  const reasons: Record<string, string | undefined> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Choose another one, or 0 for any free port.`,
    EACCES: `Port ${port} is not allowed for this user. Choose one above 1023, or 0 for any free port.`,
    EADDRNOTAVAIL: `${host} is not an address of this computer.`,
  };
  const message = reasons[error.code ?? ''] ?? `Cannot listen on ${host}:${port}: ${error.message}`;
  return new StrataError('server.unavailable', message, [], error);
}
