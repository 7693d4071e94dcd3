// Passes on to the object of a thread what the Worker has checked about a request: who calls, and which thread.

/** What the Worker has checked about a request. Callers cannot set it. */
export interface ThreadCall {
  /** The id of the thread. */
  id: string;
  /** The id of the caller, to whom the thread belongs. */
  caller: string;
  /** The name of the configuration of a new thread: for `create`, and for `fork` if the caller names another one. */
  configuration?: string;
  /** For `fork`: the id of the new thread. */
  newId?: string;
  /** For a new thread whose request had an idempotency key: the digest of the request's body. */
  bodyHash?: string;
}

/** The operations of a thread's object. Each is a path: `https://thread/<operation>`. */
export type ThreadOperation =
  | 'create'
  | 'created'
  | 'state'
  | 'turns'
  | 'messages'
  | 'events'
  | 'results'
  | 'abort'
  | 'fork'
  | 'rewind'
  | 'export'
  | 'delete';

const header = 'x-thread';

// What the object reads. Everything else, such as the caller's key, stays in the Worker.
const passedOn = ['accept', 'idempotency-key', 'last-event-id', 'prefer'];

/**
 * Returns the request to the object of a thread. `body` is the text of the caller's request after it was checked.
 */
export function threadRequest(
  request: Request,
  operation: ThreadOperation,
  call: ThreadCall,
  body?: string,
): Request {
  const headers = new Headers({ [header]: JSON.stringify(call) });
  for (const name of passedOn) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { search } = new URL(request.url);
  // No key reaches the object, wherever it was sent.
  const query = new URLSearchParams(search);
  query.delete('key');
  const url = `https://thread/${operation}${query.size > 0 ? `?${query}` : ''}`;
  if (body === undefined) return new Request(url, { headers });
  return new Request(url, { method: 'POST', headers, body });
}

/** Returns what the Worker has checked about a request that reached the object. */
export function threadCallOf(request: Request): ThreadCall {
  return JSON.parse(request.headers.get(header) ?? '{}') as ThreadCall;
}

/** Returns the operation of a request that reached the object. */
export function operationOf(request: Request): string {
  return new URL(request.url).pathname.slice(1);
}
