// Turns a request of Node's http into a Request, whose body is read as the handler asks for it.
import type { NodeIncoming, NodeOutgoing } from './node-types.js';

/**
 * Returns the Request.
 *
 * @throws TypeError if the URL, the method or a header is not valid
 */
export function requestFrom(
  incoming: NodeIncoming,
  outgoing: NodeOutgoing,
  signal: AbortSignal,
): Request {
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const init = { method, headers: headersOf(incoming), signal };
  // Not in the DOM's types: required where a body is a stream.
  const body = hasBody ? { body: bodyOf(incoming, outgoing), duplex: 'half' } : {};
  return new Request(new URL(url, originOf(incoming)), { ...init, ...body });
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

/**
 * Returns the body as a stream that pauses the connection while nobody reads. What is left of it when the response was
 * sent is thrown away: many clients read the response only after they have sent all of their request.
 */
function bodyOf(
  incoming: NodeIncoming,
  outgoing: NodeOutgoing,
): ReadableStream<Uint8Array<ArrayBuffer>> {
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
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      push = (chunk) => {
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      };
      const fail = () => controller.error(new TypeError('The client has left.'));
      incoming.on('data', push);
      incoming.on(
        'end',
        end(() => controller.close()),
      );
      incoming.on('error', end(fail));
      incoming.on('close', end(fail));
      outgoing.on('finish', () => {
        if (!isOpen) return;
        controller.error(new TypeError('The response was sent before the body was read.'));
        drain();
      });
      incoming.pause();
    },
    pull() {
      incoming.resume();
    },
    cancel: drain,
  });
}
