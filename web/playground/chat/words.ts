// Says in words why an answer ended, what some events mean, what failed, and what an answer cost.
import {
  GeminiError,
  StrataError,
  type ConversationEvent,
  type FinishReason,
  type Json,
} from '../../index.js';
import { count } from '../../ui/format.js';

// What the name of a reason does not say.
const reasons: { [reason: string]: string } = {
  MAX_TOKENS: 'the limit of output tokens was reached, so the answer is cut',
  SAFETY: 'a safety filter stopped the answer',
  RECITATION: 'the answer repeats its sources word for word',
  OTHER: 'Google gives no reason',
  BLOCKLIST: 'the answer has a blocked term',
  SPII: 'the answer has sensitive personal data',
  MALFORMED_FUNCTION_CALL: 'the model wrote a function call that is not valid',
  MALFORMED_RESPONSE: 'the model wrote an answer that is not valid',
  MISSING_THOUGHT_SIGNATURE: 'a thought signature was missing in the request',
  UNEXPECTED_TOOL_CALL: 'the model called a function although none was declared',
  IMAGE_OTHER: 'there is no image, and Google gives no reason',
  CONTINUATION: 'the answer continues in another request',
};

/** Returns the reason as a sentence without a period. */
export function finishWords(reason: FinishReason): string {
  const known = reasons[reason];
  return known === undefined ? `Ended with ${reason}` : `${reason}: ${known}`;
}

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
    case 'cache':
      return event.action === 'refused'
        ? `No cache was created: ${event.reason}`
        : `The cache ${event.name} was ${event.action}.`;
    case 'cacheLost':
      return `The cache ${event.name} no longer exists. The request was sent again without it.`;
    default:
      return undefined;
  }
}

/** Whether the user stopped a send. */
export const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/** Returns the code of an error, with its HTTP status. */
export function failureCode(error: unknown): string {
  if (isStop(error)) return 'stopped';
  if (!(error instanceof StrataError)) return 'error';
  const status = error instanceof GeminiError && error.status > 0 ? `HTTP ${error.status} ` : '';
  return status + error.code;
}

const isKeyReason = (detail: Json) => Object(detail).reason === 'API_KEY_INVALID';

// Whether the key was rejected, either before sending or by the API.
function isKeyError(error: unknown): boolean {
  if (!(error instanceof GeminiError))
    return error instanceof StrataError && error.code === 'key.invalid';
  return [401, 403].includes(error.status) || error.details.some(isKeyReason);
}

function whatFailed(error: unknown, isAdded: boolean): string {
  if (isStop(error))
    return isAdded
      ? 'You stopped the answer. Your message is kept, the unfinished answer is discarded.'
      : 'You stopped before anything was sent. Your text is back in the message box.';
  if (error instanceof GeminiError && error.code === 'network')
    return 'Google could not be reached. Check the connection, then try again.';
  return error instanceof Error ? error.message : String(error);
}

/** Says what failed and what to do, in sentences. `isAdded`: whether the message was added to the conversation. */
export function failureWords(error: unknown, isAdded: boolean): string[] {
  const words = [whatFailed(error, isAdded)];
  if (error instanceof GeminiError && error.retryAfterMs !== undefined)
    words.push(`Google asks you to wait ${Math.ceil(error.retryAfterMs / 1000)} s.`);
  if (isKeyError(error)) {
    const next = isAdded ? 'get an answer' : 'send it';
    words.push(`Your message is kept. Change the API key in the settings, then ${next}.`);
  }
  return words;
}

/** Formats a cost: two digits of what is small, whole dollars of what is not. */
export function dollarsOf(cost: number): string {
  if (cost < 0.01) return `$${cost.toFixed(6)}`;
  return `$${cost < 10 ? cost.toPrecision(2) : count(Math.round(cost))}`;
}
