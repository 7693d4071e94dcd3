// Defines the events of a thread's sends: those of a conversation, and those of sends that outlive their readers.
import type { ConversationEvent, ToolCall } from '../index.js';
import type { ErrorBody } from './error-body.js';

/** A call that waits for the result of a caller's tool. */
export interface OpenCall {
  /** `<index of the model turn>.<index of the call in it>`. */
  callId: string;
  name: string;
  args: ToolCall['args'];
}

/** What the events `toolCall` and `toolResult` have besides those of a conversation. */
interface CallPlace {
  callId: string;
  /** Who runs the tool: the deployment, or the caller, who posts the result. */
  runsAt: 'deployment' | 'caller';
}

type OwnType = 'toolCall' | 'toolResult' | 'waiting';

type WithPlace<Type extends OwnType> = Extract<ConversationEvent, { type: Type }> & CallPlace;

/** An event of a send. The first is `sent` or `resumed`, the last `stored` or `waiting`. */
export type ThreadEvent =
  | Exclude<ConversationEvent, { type: OwnType }>
  | WithPlace<'toolCall'>
  | WithPlace<'toolResult'>
  /** The send was accepted. */
  | { type: 'sent'; send: number; thread: string }
  /** The send continues after its process ended. Discard the text of the unfinished answer before this event. */
  | { type: 'resumed'; attempt: number }
  /** The send continues when these calls have results. */
  | { type: 'waiting'; calls: OpenCall[] }
  /** The error that ended the send. */
  | { type: 'failed'; error: ErrorBody }
  /** The send ended. The thread has this many turns. */
  | { type: 'stored'; turns: number };
