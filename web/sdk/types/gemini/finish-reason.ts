// Defines why an answer ended.
import type { OpenEnum } from './open-enum.js';

/**
 * Why an answer ended. docs/conversation.md says which ones a Conversation treats as faults.
 *
 * @see https://ai.google.dev/api/generate-content#FinishReason
 */
export type FinishReason = OpenEnum<
  | 'FINISH_REASON_UNSPECIFIED'
  | 'STOP'
  | 'MAX_TOKENS'
  | 'SAFETY'
  | 'RECITATION'
  | 'LANGUAGE'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'SPII'
  | 'MALFORMED_FUNCTION_CALL'
  | 'MALFORMED_RESPONSE'
  | 'MISSING_THOUGHT_SIGNATURE'
  | 'UNEXPECTED_TOOL_CALL'
  | 'TOO_MANY_TOOL_CALLS'
  | 'IMAGE_SAFETY'
  | 'IMAGE_PROHIBITED_CONTENT'
  | 'IMAGE_RECITATION'
  | 'IMAGE_OTHER'
  | 'NO_IMAGE'
  | 'CONTINUATION'
>;

/**
 * Why a prompt was blocked.
 *
 * @see https://ai.google.dev/api/generate-content#BlockReason
 */
export type BlockReason = OpenEnum<
  | 'BLOCK_REASON_UNSPECIFIED'
  | 'SAFETY'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'IMAGE_SAFETY'
  | 'MODEL_ARMOR'
  | 'JAILBREAK'
>;
