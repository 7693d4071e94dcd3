// Defines the parts of Node's request and response that are used, so that the package's types need no @types/node.
import * as must from '../sdk/internal/options.js';
import type { FetchHandler } from '../sdk/types/platform.js';

/** The part of Node's `IncomingMessage`, or of the request of its HTTP/2 module, that is read. */
export interface NodeIncoming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly rawHeaders: string[];
  readonly socket: object;
  on(event: string, listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  off(event: string, listener: (chunk: Uint8Array<ArrayBuffer>) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** The part of Node's `ServerResponse`, or of the response of its HTTP/2 module, that is written. */
export interface NodeOutgoing {
  statusCode: number;
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  setHeader(name: string, value: string | string[]): unknown;
  flushHeaders?(): void;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** A Request, and a function that throws its body away unless somebody reads it. */
interface ReceivedRequest {
  request: Request;
  discard: () => void;
}

/**
 * Returns the Request.
 *
 * @throws TypeError if the URL, the method or a header is not valid
 */
function requestFrom(incoming: NodeIncoming, signal: AbortSignal): ReceivedRequest {
  const { method = 'GET', url = '/' } = incoming;
  const init = { method, headers: headersOf(incoming), signal };
  const address = new URL(url, originOf(incoming));
  if (method === 'GET' || method === 'HEAD')
    return { request: new Request(address, init), discard: () => incoming.resume() };
  const { stream, discard } = bodyOf(incoming);
  // Not in the DOM's types: required where a body is a stream.
  const body = { body: stream, duplex: 'half' };
  return { request: new Request(address, { ...init, ...body }), discard };
}

function originOf({ headers, socket }: NodeIncoming): string {
  const scheme = 'encrypted' in socket && socket.encrypted === true ? 'https' : 'http';
  // HTTP/2 names the host differently.
  const host = headers['host'] ?? headers[':authority'] ?? 'localhost';
  return `${scheme}://${String(host)}`;
}

function headersOf({ rawHeaders }: NodeIncoming): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!name.startsWith(':')) headers.append(name, value);
  }
  return headers;
}

interface Body {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  discard: () => void;
}

/** Returns the body as a stream that pauses the connection while nobody reads. */
function bodyOf(incoming: NodeIncoming): Body {
  let isOpen = true;
  const end = (settle: () => void) => () => {
    if (isOpen) settle();
    isOpen = false;
  };
  let push = (_: Uint8Array<ArrayBuffer>) => {};
  // The connection can only be used again after the rest was read.
  const drain = () => {
    isOpen = false;
    incoming.off('data', push);
    incoming.resume();
  };
  let fail = (_: string) => {};
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      push = (chunk) => {
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      };
      fail = (reason) => controller.error(new TypeError(reason));
      const left = end(() => fail('The client has left.'));
      incoming.on('data', push);
      incoming.on(
        'end',
        end(() => controller.close()),
      );
      incoming.on('error', left);
      incoming.on('close', left);
      incoming.pause();
    },
    pull() {
      incoming.resume();
    },
    cancel: drain,
  });
  const discard = () => {
    if (!isOpen || stream.locked) return;
    fail('The response was sent before the body was read.');
    drain();
  };
  return { stream, discard };
}

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
