// Defines the events of a thread that a Worker keeps: those of a Conversation, and what happens between the Worker and
// its callers.
import type { ConversationEvent } from './conversation-event.js';
import type { Diagnostic } from './diagnostic.js';
import type { ToolCall } from './tool.js';

/** A call in a thread that a Worker keeps. */
export interface RemoteCall extends ToolCall {
  /** Which call it is: the index of the model's turn, a period, and the index of the call in it. */
  callId: string;
}

/** Which call an event is about, and who runs it: the deployment, or the caller of the Worker. */
export interface CallPlace {
  callId: string;
  runsAt: 'deployment' | 'caller';
}

/** The error of a send, as the Worker describes it. */
export interface RemoteFailure {
  /** A code of docs/diagnostics.md or docs/worker.md. */
  code: string;
  message: string;
  diagnostics?: Diagnostic[];
  /** The HTTP status of the Gemini API, if it answered with an error. */
  status?: number;
  retryAfterMs?: number;
}

/** Where an event is in its thread. */
export interface EventPlace {
  /** The id of the event, for `watch({ after })`. Events that the client itself adds have none. */
  eventId?: string;
}

/**
 * An event of `RemoteThread.send` and `RemoteThread.watch`: an event of `Conversation.send`, or one of those about the
 * send itself. The `body` of `request` is empty unless the deployment shows requests.
 *
 * @example
 * for await (const event of thread.send('Hello')) {
 *   if (event.type === 'text') process.stdout.write(event.text);
 *   if (event.type === 'resumed') console.log('\nThe server started the answer again:');
 * }
 */
export type RemoteEvent = EventPlace &
  (
    | Exclude<ConversationEvent, { type: 'toolCall' | 'toolResult' | 'waiting' }>
    | (Extract<ConversationEvent, { type: 'toolCall' | 'toolResult' }> & CallPlace)
    /** Only calls of the caller are open. A send runs those that it has tools for, and continues; it ends if others remain. */
    | { type: 'waiting'; calls: RemoteCall[] }
    /** The Worker stored the message. `send` is its number in the thread. */
    | { type: 'sent'; send: number; thread: string }
    /** The process of the send ended, and another one continues. If an answer was incomplete, a `fault` comes before. */
    | { type: 'resumed'; attempt: number }
    /** The send failed. Only `watch` yields it; `send` throws it. */
    | { type: 'failed'; error: RemoteFailure }
    /** The send is over, and the thread with this number of turns is stored. */
    | { type: 'stored'; turns: number }
  );
