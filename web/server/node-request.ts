// Turns a request of Node's http into a Request, whose body is read as the handler asks for it.
import type { NodeIncoming } from './node-types.js';

/** A Request, and a function that throws its body away unless somebody reads it. */
export interface ReceivedRequest {
  request: Request;
  discard: () => void;
}

/**
 * Returns the Request.
 *
 * @throws TypeError if the URL, the method or a header is not valid
 */
export function requestFrom(incoming: NodeIncoming, signal: AbortSignal): ReceivedRequest {
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
