// Why this file exists: an answer may end as the protocol says and still be none. What is wrong with it is
// one code, which the retry policy, the event and the error share.
import { GeminiError } from '../base/errors.js';
import type { Answer } from '../types/response.js';
import { spokenText, type Content } from '../base/content.js';

/** What is wrong with an answer that came to its end. */
export type AnswerFault =
  /** It ended in `CONTINUATION` without saying how to go on. */
  | 'answer.cut'
  | 'answer.malformed_call'
  | 'answer.unexpected_call'
  /** Nothing to read, because of the token limit, a filter, or a reason without a name. */
  | 'answer.max_tokens'
  | 'answer.safety'
  | 'answer.recitation'
  | 'answer.other'
  /** Thoughts, and then nothing. */
  | 'answer.thoughts_only'
  | 'answer.empty';

const messages: Record<AnswerFault, string> = {
  'answer.cut': 'The answer wants to be continued but gives no token for it',
  'answer.malformed_call': 'The model wrote a function call that nobody can read',
  'answer.unexpected_call': 'The model called a function although none was to be called',
  'answer.max_tokens': 'The token limit was reached before any text',
  'answer.safety': 'A filter kept the whole answer back',
  'answer.recitation': 'The answer was kept back because it recites its sources',
  'answer.other': 'The answer ended without text, for a reason that has no name',
  'answer.thoughts_only': 'The model thought and then said nothing',
  'answer.empty': 'The answer is empty',
};

// The reasons that explain an answer without text.
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

/** Text as a reader sees it: without characters of no width, comments of HTML, and white space around. */
function visibleText(text: string): string {
  return text.replace(/[\u200B-\u200F\uFEFF]|<!--[\s\S]*?-->/g, '').trim();
}

// They say nothing by themselves.
const besides = ['text', 'thought', 'thoughtSignature', 'thought_signature'];

function holdsMore(part: Content['parts'][number]): boolean {
  const fields = Object.entries(part).filter(([, value]) => value !== null);
  return typeof part['text'] !== 'string' && fields.some(([name]) => !besides.includes(name));
}

function seenIn(content: Content) {
  const { parts } = content;
  return {
    calls: parts.some((part) => part['functionCall'] ?? part['function_call']),
    thoughts: parts.some((part) => part['thought'] === true),
    // An image, code, or what a later API may bring.
    other: parts.some(holdsMore),
    text: visibleText(spokenText(content)),
  };
}

/**
 * What is wrong with a whole answer, if anything. With calls nothing is: they can be run. After tool
 * results the model may have nothing to add.
 */
export function faultOf(
  finishReason: string,
  content: Content,
  afterResults: boolean,
): AnswerFault | undefined {
  const { calls, thoughts, other, text } = seenIn(content);
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

/** The fault as an error, with all that was received. */
export function faultError(fault: AnswerFault, answer: Answer): GeminiError {
  const { content: partial, finishReason, response } = answer;
  const { responseId } = Object(response);
  const requestId = typeof responseId === 'string' ? responseId : undefined;
  return new GeminiError(fault, messages[fault], { partial, finishReason, requestId });
}
