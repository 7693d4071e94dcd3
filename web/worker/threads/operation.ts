// Defines what an operation of a thread is called with.
import type { ThreadCall } from '../thread-call.js';
import type { LiveThread } from './live-thread.js';

/** A request for an operation of a thread that exists. */
export interface Operation {
  readonly live: LiveThread;
  readonly request: Request;
  readonly call: ThreadCall;
  /** The text of the request's body. */
  readonly body: string;
}
