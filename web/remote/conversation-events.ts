// Leaves those events of a send that a Conversation has, too.
import type { ConversationEvent } from '../sdk/types/conversation-event.js';
import type { RemoteEvent } from '../sdk/types/remote-event.js';

const remoteOnly = ['sent', 'resumed', 'failed', 'stored'] as const;
type RemoteOnly = (typeof remoteOnly)[number];

/** Returns whether an event is one of a Conversation, too. */
export const isLocal = (event: RemoteEvent): event is Exclude<RemoteEvent, { type: RemoteOnly }> =>
  !remoteOnly.some((type) => type === event.type);

/** Returns the events of a send without those about the Worker. */
export function conversationEvents(
  send: AsyncIterator<RemoteEvent, undefined>,
): AsyncIterator<ConversationEvent, undefined> {
  return {
    async next() {
      for (;;) {
        const { done, value } = await send.next();
        if (done) return { done, value: undefined };
        if (isLocal(value)) return { done: false, value };
      }
    },
    async return() {
      await send.return?.();
      return { done: true, value: undefined };
    },
  };
}
