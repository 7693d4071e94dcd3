// Writes a summary as the two turns that start a compressed history, and finds them again.
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { Thread } from '../../sdk/types/thread.js';
import { acknowledgement, introduction } from './summary-prompts.js';

/** Returns a Content of one text. */
export const textTurn = (role: 'user' | 'model', text: string): string =>
  JSON.stringify({ role, parts: [{ text }] });

/** Returns the Contents that replace the summarized turns. */
export const summaryContents = (summary: string): string[] => [
  textTurn('user', `${introduction}\n\n${summary}`),
  textTurn('model', acknowledgement),
];

const opening = textTurn('user', `${introduction}\n\n`).slice(0, -'"}]}'.length);
const reply = textTurn('model', acknowledgement);

/** Returns the two turns of an earlier summary with which a thread starts, or none. */
export function earlierSummary(thread: Thread): Uint8Array[] {
  if (thread.length < 2) return [];
  const pair = [thread.content(0), thread.content(1)] as const;
  const isSummary = decodeUtf8(pair[0]).startsWith(opening) && decodeUtf8(pair[1]) === reply;
  return isSummary ? [...pair] : [];
}
