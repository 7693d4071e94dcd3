// Lets a function from a Request to a Response answer the requests of Node's http, https and http2.
import * as must from '../sdk/internal/options.js';
import type { FetchHandler } from '../sdk/types/platform.js';
import { requestFrom, type ReceivedRequest } from './node-request.js';
import type { NodeIncoming, NodeOutgoing } from './node-types.js';

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /**
   * Returns the response for an error that the handler throws. `Response.error()` breaks the connection. Default: the
   * status 500 without details.
   */
  onError?: (error: unknown) => Response | PromiseLike<Response>;
}

const isHandler: must.Check = (value, path) => {
  if (typeof value === 'function') return;
  throw must.invalidOption(path, 'a function from a Request to a Response, such as gateway.handle');
};

/** A listener of the event `request`, or a handler of Express. */
export type NodeHandler = (incoming: NodeIncoming, outgoing: NodeOutgoing) => void;

/**
 * Returns a listener for servers of Node that answers with a handler. Bodies are streamed in both directions and wait
 * for slow readers. If the client leaves, the request's `signal` is aborted and the response's body is cancelled.
 *
 * @throws StrataError `field.invalid` if the handler is not a function
 * @example
 * import { createServer } from 'node:http';
 * createServer(toNodeHandler(createEmulator())).listen(8080);
 */
export function toNodeHandler(
  handler: FetchHandler,
  options: NodeHandlerOptions = {},
): NodeHandler {
  isHandler(handler, '/handler');
  return (incoming, outgoing) => {
    const left = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) left.abort();
    });
    respond(handler, options, incoming, left.signal)
      .then(async ({ response, discard }) => {
        await send(response, outgoing, incoming.method === 'HEAD');
        // Many clients read the response only after they have sent all of their request.
        discard();
      })
      .catch(() => outgoing.destroy());
  };
}

interface Answered {
  response: Response;
  /** Throws the rest of the request away. */
  discard: () => void;
}

async function respond(
  handler: FetchHandler,
  { onError }: NodeHandlerOptions,
  incoming: NodeIncoming,
  signal: AbortSignal,
): Promise<Answered> {
  let received: ReceivedRequest;
  try {
    received = requestFrom(incoming, signal);
  } catch {
    const response = new Response('Bad Request', { status: 400 });
    return { response, discard: () => incoming.resume() };
  }
  const { request, discard } = received;
  try {
    return { response: await handler(request), discard };
  } catch (error) {
    if (signal.aborted) throw error;
    const failed = () => new Response('Internal Server Error', { status: 500 });
    return { response: await (onError?.(error) ?? failed()), discard };
  }
}

async function send(response: Response, outgoing: NodeOutgoing, isHead: boolean): Promise<void> {
  if (outgoing.destroyed || response.type === 'error') {
    await response.body?.cancel();
    outgoing.destroy();
    return;
  }
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  if (isHead) await response.body?.cancel();
  else if (response.body) await copyBody(response.body, outgoing);
  if (!outgoing.destroyed) outgoing.end();
}

async function copyBody(body: ReadableStream<Uint8Array>, outgoing: NodeOutgoing): Promise<void> {
  const reader = body.getReader();
  // The reader of a stream that has failed says so where it is read.
  const cancel = () => void reader.cancel().catch(() => {});
  outgoing.on('close', cancel);
  // The head is sent before the first bytes of the body exist.
  outgoing.flushHeaders?.();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    // A body may fail while the client reads nothing.
    if (!outgoing.write(read.value) && !outgoing.destroyed)
      await Promise.race([drained(outgoing), reader.closed]);
  }
  outgoing.off('close', cancel);
}

function drained(outgoing: NodeOutgoing): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}
