// Reads what a handler is called with: the arguments of `fetch`, or a Request and whatever a server adds to it.

/** All fields of a RequestInit, also those of Node, Workers and Bun. */
const initFields = new Set([
  ...['body', 'cache', 'cf', 'credentials', 'dispatcher', 'duplex', 'fetcher', 'headers'],
  ...['integrity', 'keepalive', 'method', 'mode', 'priority', 'proxy', 'redirect', 'referrer'],
  ...['referrerPolicy', 'signal', 'timeout', 'tls', 'unix', 'verbose', 'window'],
]);

/** A request, and the signal that ends its answer. */
interface Call {
  request: Request;
  signal: AbortSignal;
}

/**
 * Returns the request that a handler was called with. Bun, Deno, srvx, Hono and Workers pass their own objects as the
 * second argument; with a Request, only a plain object with nothing but fields of RequestInit counts as one.
 */
export function requestOf(input: RequestInfo | URL, init: unknown): Call {
  if (isRequest(input) && !isInit(init)) return { request: input, signal: signalOf(input) };
  const settings = (init ?? {}) as RequestInit;
  const request = new Request(input, settings);
  // A signal that follows another one may be garbage before it aborts.
  return { request, signal: settings.signal ?? signalOf(request) };
}

// Workers may leave the signal out.
function signalOf({ signal }: { signal?: AbortSignal }): AbortSignal {
  return signal ?? new AbortController().signal;
}

// A server's Request may be of another class; Request's constructor does not take all of those.
function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === 'object' && 'arrayBuffer' in input && 'headers' in input;
}

function isInit(init: unknown): init is RequestInit {
  if (typeof init !== 'object' || init === null) return false;
  const prototype: unknown = Object.getPrototypeOf(init);
  const isPlain = prototype === null || prototype === Object.prototype;
  const names = Object.keys(init);
  return isPlain && names.length > 0 && names.every((name) => initFields.has(name));
}
