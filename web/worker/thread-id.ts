// Creates the ids of threads, checks their form, and defines the error for a thread that does not exist.
import { base64Url, sha256 } from '../sdk/internal/bytes.js';
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
