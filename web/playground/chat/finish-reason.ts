// Says in words why an answer ended.
import type { FinishReason } from '../../index.js';

const words: { [reason: string]: string } = {
  STOP: 'the model finished',
  MAX_TOKENS: 'the limit of output tokens was reached, so the answer is cut',
  SAFETY: 'a safety filter stopped the answer',
  RECITATION: 'the answer repeats its sources word for word',
  LANGUAGE: 'the language is not supported',
  OTHER: 'Google gives no reason',
  BLOCKLIST: 'the answer has a blocked term',
  PROHIBITED_CONTENT: 'the answer has prohibited content',
  SPII: 'the answer has sensitive personal data',
  MALFORMED_FUNCTION_CALL: 'the model wrote a function call that is not valid',
  MALFORMED_RESPONSE: 'the model wrote an answer that is not valid',
  MISSING_THOUGHT_SIGNATURE: 'a thought signature was missing in the request',
  UNEXPECTED_TOOL_CALL: 'the model called a function although none was declared',
  TOO_MANY_TOOL_CALLS: 'the model called too many functions in a row',
  IMAGE_SAFETY: 'a safety filter stopped the image',
  IMAGE_PROHIBITED_CONTENT: 'the image has prohibited content',
  IMAGE_RECITATION: 'the image repeats its sources',
  IMAGE_OTHER: 'there is no image, and Google gives no reason',
  NO_IMAGE: 'the model was to make an image and made none',
  CONTINUATION: 'the answer continues in another request',
};

/** Returns the reason as a sentence without a period. */
export function finishWords(reason: FinishReason): string {
  const known = words[reason];
  return known === undefined ? `Ended with ${reason}` : `${reason}: ${known}`;
}
