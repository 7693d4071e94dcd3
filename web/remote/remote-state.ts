// Declares what a Worker says about a thread, its turns and its events, and compares ids of events.
import type { ConversationEvent } from '../sdk/types/conversation-event.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { ToolCall } from '../sdk/types/tool.js';
import type { Content } from '../sdk/types/gemini/contents.js';
import type { TurnMeta } from '../sdk/types/thread.js';

/** A call in a thread that a Worker keeps. */
export interface RemoteCall extends ToolCall {
  /** Which call it is: the number of the send, the index of the model's turn, and the index of the call in it: `1.1.0`. */
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

/** The state of a thread that a Worker keeps. */
export interface RemoteState {
  id: string;
  /** The configuration of the deployment that the thread uses. */
  configuration: string;
  /** The number of turns. */
  turns: number;
  /** `waiting`: a send waits for the results of `openCalls`. */
  state: 'idle' | 'running' | 'waiting';
  /** The calls of the caller that have no result. */
  openCalls: RemoteCall[];
  /** The number of the last send; absent before the first. */
  lastSend?: number;
  /** The id of the last event, for `watch({ after })`; absent before the first send. */
  lastEvent?: string;
  /** When the thread was created, RFC 3339. */
  createdAt?: string;
  /** When the deployment deletes the thread if nobody uses it, RFC 3339; absent if it does not. */
  expiresAt?: string;
}

/** A turn of a thread that a Worker keeps. */
export interface RemoteTurn {
  /** The number of turns before it. */
  index: number;
  /** What the turn is: `user`, `model`, or `tool` if it holds functionResponses only. */
  kind: string;
  content: Content;
  /** What is saved with the turn, as far as callers may see it. */
  meta?: TurnMeta;
}

/** The result of a call, or the error that the model receives instead. */
export type CallResult =
  | { callId: string; response: unknown; error?: undefined }
  | { callId: string; error: string; response?: undefined };

const form = /^\d+\.\d+\.\d+$/;

/** Returns whether a text is the id of an event. */
export const isEventId = (text: string): boolean => form.test(text);

/** Returns whether an event comes after the one with the id `last`, if there is one. */
export function isAfter(id: string, last: string | undefined): boolean {
  if (last === undefined) return true;
  const known = last.split('.').map(Number);
  const numbers = id.split('.').map(Number);
  const first = numbers.findIndex((number, index) => number !== known[index]);
  return first >= 0 && Number(numbers[first]) > Number(known[first]);
}

/** Returns the number of the send that an event belongs to. */
export const sendOf = (id: string): number => Number(id.split('.')[0]);
