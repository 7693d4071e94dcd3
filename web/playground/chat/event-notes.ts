// Says in a sentence what some events mean.
import type { ConversationEvent } from '../../index.js';

/** Returns the note for an event that is shown as a sentence. */
export function noteOf(event: ConversationEvent): string | undefined {
  switch (event.type) {
    case 'limit':
      return `Stopped at the limit of ${event.rounds} rounds of tool calls.`;
    case 'empty':
      return `The answer is empty (finishReason ${event.finishReason}).`;
    case 'loop':
      return event.kind === 'calls'
        ? 'The model repeats the same calls. They were not run.'
        : 'The answer repeats the same text.';
    case 'retry':
      return `${event.code}: retried after ${event.delayMs} ms.`;
    case 'cache':
      return event.action === 'refused'
        ? `No cache was created: ${event.reason}`
        : `The cache ${event.name} was ${event.action}.`;
    case 'cacheLost':
      return `The cache ${event.name} no longer exists. The request was sent again without it.`;
    case 'stateLost':
      return `The interaction ${event.id} could not be continued. The request was sent again with the whole history.`;
    default:
      return undefined;
  }
}
