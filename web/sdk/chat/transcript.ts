// Puts together everything that was said in a conversation: what compression removed, and the turns of the thread.
import { decodeUtf8 } from '../internal/bytes.js';
import { StrataError } from '../internal/errors.js';
import type { Content } from '../types/gemini/contents.js';
import type { ConversationThread } from './conversation-thread.js';
import { isNote } from './journal.js';

/** A turn of `Conversation.transcript`: a Content, and what is known about it. */
export interface TranscriptTurn extends Content {
  /** When it was added, RFC 3339, if that is known. */
  at?: string;
  /** Nobody said this turn: it sums up the turns before it, which were removed from the prompt, or acknowledges that. */
  summary?: true;
  /** It was removed from the prompt: the model no longer sees it. */
  removed?: true;
  /** Its index in `Conversation.thread`; missing if it was removed. */
  index?: number;
}

interface SavedTurn {
  content?: Content;
  contentText?: string;
  meta?: { at?: string };
}

const linesOf = (bytes: Uint8Array): string[] =>
  decodeUtf8(bytes)
    .split('\n')
    .filter((line) => line !== '' && !isNote(line));

function turnOf(line: string): TranscriptTurn {
  const { content, contentText, meta } = JSON.parse(line) as SavedTurn;
  const { at } = meta ?? {};
  const said = content ?? (JSON.parse(contentText ?? '{}') as Content);
  return { ...said, ...(at !== undefined && { at }) };
}

async function removedLines({ journal }: ConversationThread, name: string): Promise<string[]> {
  const bytes = await journal.readStored(name);
  if (bytes) return linesOf(bytes);
  const message = `The store has no turns under the name "${name}", under which compression stored them`;
  throw new StrataError('store.damaged', message);
}

/** Returns the turns of a conversation. @throws what the store throws; StrataError `store.damaged` */
export async function transcriptOf(live: ConversationThread): Promise<TranscriptTurn[]> {
  const turns: TranscriptTurn[] = [];
  let [summary, repeated] = [0, 0];
  const add = (lines: readonly string[], more: (index: number) => Partial<TranscriptTurn>) => {
    for (const [index, line] of lines.entries()) {
      const isSummary = index < summary;
      if (!isSummary && index < summary + repeated) continue;
      turns.push({ ...turnOf(line), ...(isSummary && { summary: true as const }), ...more(index) });
    }
  };
  const current = linesOf(live.thread.save());
  for (const removal of live.removed) {
    add(await removedLines(live, removal.storedAs), () => ({ removed: true }));
    ({ summary, repeated } = removal);
  }
  add(current, (index) => ({ index }));
  return turns;
}
