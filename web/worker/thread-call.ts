// Names the object of a thread, and carries one call to it.
import { sha256 } from '../sdk/internal/digest.js';
import { base64Url } from '../sdk/internal/bytes.js';
import { HttpError } from '../server/body.js';

// 128 bits, which nobody can guess if they are random.
const idBytes = 16;

const idOf = (bytes: Uint8Array): string => `thread_${base64Url(bytes)}`;

/** Returns a new id: `thread_` and 22 characters of base64url. */
export const newThreadId = (): string => idOf(crypto.getRandomValues(new Uint8Array(idBytes)));

/**
 * Returns the id of the thread that a caller creates with an idempotency key, the same one for the same key. `source` is
 * the id of the thread that is copied. Nobody else gets to an object of this caller, even with its id.
 */
export async function keyedThreadId(caller: string, key: string, source = ''): Promise<string> {
  const digest = await sha256(JSON.stringify([caller, source, key]));
  return idOf(digest.subarray(0, idBytes));
}

/** Returns whether a text has the form of an id. */
export const isThreadId = (text: string): boolean => /^thread_[\w-]{22}$/.test(text);

/** Returns the name of the Durable Object of a thread. A thread of another caller is another object. */
export const objectName = (caller: string, id: string): string => `${caller}\n${id}`;

/**
 * Creates the error for a thread that does not exist. A thread of another caller, a deleted one and an id that was
 * never given out are not to be told apart.
 */
export const unknownThread = (): HttpError =>
  new HttpError(404, 'thread.unknown', 'You have no thread with this id.');

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
