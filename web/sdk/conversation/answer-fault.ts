// Classifies answers that ended as the protocol requires but cannot be used. The retry policy, the `fault`
// event and the GeminiError share one code for each.
import { requestIdOf } from '../base/request-id.js';
import { GeminiError } from '../base/errors.js';
import type { Answer } from '../types/response.js';
import { spokenText, type Content } from '../base/content.js';

/** What is wrong with an answer that ended normally. */
export type AnswerFault =
  /** It ended in `CONTINUATION` without a `continuationToken`. */
  | 'answer.cut'
  | 'answer.malformed_call'
  | 'answer.unexpected_call'
  /** It has no text, because of the token limit, a filter, or an unspecified reason. */
  | 'answer.max_tokens'
  | 'answer.safety'
  | 'answer.recitation'
  | 'answer.other'
  /** It has thoughts and no text. */
  | 'answer.thoughts_only'
  | 'answer.empty';

const messages: Record<AnswerFault, string> = {
  'answer.cut': 'The answer ended with CONTINUATION but has no continuationToken',
  'answer.malformed_call': 'The model wrote a malformed function call',
  'answer.unexpected_call': 'The model called a function although the request enabled no tools',
  'answer.max_tokens': 'The model reached the token limit before it wrote any text',
  'answer.safety': 'A filter blocked the whole answer',
  'answer.recitation': 'The answer was blocked because it recites its sources',
  'answer.other': 'The answer ended without text, for an unspecified reason',
  'answer.thoughts_only': 'The answer has thoughts but no text',
  'answer.empty': 'The answer is empty',
};

// Finish reasons that explain why an answer has no text.
const byReason = new Map<string, AnswerFault>([
  ['MAX_TOKENS', 'answer.max_tokens'],
  ...['SAFETY', 'IMAGE_SAFETY', 'PROHIBITED_CONTENT', 'IMAGE_PROHIBITED_CONTENT'].map(
    (reason): [string, AnswerFault] => [reason, 'answer.safety'],
  ),
  ...['BLOCKLIST', 'SPII'].map((reason): [string, AnswerFault] => [reason, 'answer.safety']),
  ['RECITATION', 'answer.recitation'],
  ['IMAGE_RECITATION', 'answer.recitation'],
  ['OTHER', 'answer.other'],
  ['IMAGE_OTHER', 'answer.other'],
]);

/** Removes zero-width characters, HTML comments and surrounding white space. */
function visibleText(text: string): string {
  return text.replace(/[\u200B-\u200F\uFEFF]|<!--[\s\S]*?-->/g, '').trim();
}

// Fields of a Part that are not data on their own.
const annotations = ['text', 'thought', 'thoughtSignature', 'thought_signature'];

function hasOtherData(part: Content['parts'][number]): boolean {
  const fields = Object.entries(part).filter(([, value]) => value !== null);
  return typeof part['text'] !== 'string' && fields.some(([name]) => !annotations.includes(name));
}

function inspect(content: Content) {
  const { parts } = content;
  return {
    calls: parts.some((part) => part['functionCall'] ?? part['function_call']),
    thoughts: parts.some((part) => part['thought'] === true),
    // An image, code, or a kind of Part that this version does not know.
    other: parts.some(hasOtherData),
    text: visibleText(spokenText(content)),
  };
}

/**
 * Returns what is wrong with a complete answer, or undefined. An answer with functionCalls is usable, because
 * they can be run. An empty answer is valid after tool results (`afterResults`).
 */
export function faultOf(
  finishReason: string,
  content: Content,
  afterResults: boolean,
): AnswerFault | undefined {
  const { calls, thoughts, other, text } = inspect(content);
  if (finishReason === 'CONTINUATION') return 'answer.cut';
  if (calls) return undefined;
  if (finishReason === 'MALFORMED_FUNCTION_CALL') return 'answer.malformed_call';
  if (finishReason === 'UNEXPECTED_TOOL_CALL') return 'answer.unexpected_call';
  if (text !== '' || other) return undefined;
  const explained = byReason.get(finishReason);
  if (explained) return explained;
  if (thoughts) return 'answer.thoughts_only';
  return afterResults ? undefined : 'answer.empty';
}

/** Returns the error for a fault, with everything that was received. */
export function faultError(fault: AnswerFault, answer: Answer): GeminiError {
  const { content: partial, finishReason, response } = answer;
  const requestId = requestIdOf(response);
  return new GeminiError(fault, messages[fault], { partial, finishReason, requestId });
}
