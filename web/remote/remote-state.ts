// Defines what a Worker tells about a thread that it keeps.
import type { Content } from '../sdk/types/gemini/contents.js';
import type { RemoteCall } from '../sdk/types/remote-event.js';
import type { TurnMeta } from '../sdk/types/thread.js';

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
