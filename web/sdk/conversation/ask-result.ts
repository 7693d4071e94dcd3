// Defines the result of `Conversation.ask`.
import type { ConversationEvent } from '../types/conversation-event.js';
import type { FinishReason } from '../types/gemini/finish-reason.js';
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';

/** A complete answer. */
export interface AskResult {
  /** The text of the last answer, without thoughts. */
  text: string;
  /** The token counts of the last answer. */
  usage: UsageMetadata;
  /** Why the last answer ended: `STOP`, `MAX_TOKENS`… */
  finishReason: FinishReason;
}

/**
 * Returns the answer that a `done` event completes; undefined for any other event.
 *
 * @internal
 */
export function resultIn(event: ConversationEvent): AskResult | undefined {
  if (event.type !== 'done') return undefined;
  const { text, usage, finishReason } = event;
  return { text, usage, finishReason };
}
