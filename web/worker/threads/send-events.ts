// Converts the events of a conversation to those of a thread: with the ids of calls, as callers may see them.
import type { ConversationEvent } from '../../index.js';
import type { OpenCall, ThreadEvent } from '../thread-event.js';
import type { CallIds } from './caller-tools.js';

type CallEvent = Extract<ConversationEvent, { type: 'toolCall' | 'toolResult' }>;

/** Adds to an event which call it is about, and who runs it. */
function withPlace(event: CallEvent, ids: CallIds, isCallers: (name: string) => boolean) {
  const { call } = event;
  const runsAt = isCallers(call.name) ? ('caller' as const) : ('deployment' as const);
  return { ...event, callId: ids.of(call), runsAt };
}

/** Returns the event of a thread for one of a conversation, except for `waiting`, which depends on posted results. */
export function threadEvent(
  event: Exclude<ConversationEvent, { type: 'waiting' }>,
  ids: CallIds,
  isCallers: (name: string) => boolean,
): ThreadEvent {
  return event.type === 'toolCall' || event.type === 'toolResult'
    ? withPlace(event, ids, isCallers)
    : event;
}

/** Returns a call with its id. */
export function openCallOf({ call }: CallEvent, ids: CallIds): OpenCall {
  const { name, args } = call;
  return { callId: ids.of(call), name, args };
}
