// Notes which interaction at Google has the turns of a conversation, so that it is found again after a restart.
import { decodeUtf8 } from '../internal/bytes.js';
import { sha256, toHex } from '../internal/digest.js';
import type { CoreThread } from '../types/core-objects.js';
import type { Kept } from './background-note.js';
import type { Journal } from './journal.js';

/** What a note is about: a conversation's thread, its model and its notes. */
interface Noted {
  readonly thread: CoreThread;
  readonly model: string;
  readonly journal: Journal;
}

const digestOf = async ({ thread }: Noted, turns: number): Promise<string> =>
  toHex(await sha256(thread.content(turns - 1)));

/** Notes that this interaction has all turns of the thread. The store gets the note with its next write. */
export async function keepInteraction(live: Noted, name: string, id: string): Promise<void> {
  const { length: turns } = live.thread;
  const note: Kept = { id, turns, model: live.model, digest: await digestOf(live, turns) };
  live.journal.notes.set(name, note);
}

/** Returns the noted interaction, and its last turn, if the thread still has its turns and the same model answers. */
export async function keptInteraction(
  live: Noted,
  name: string,
): Promise<{ id: string; turns: number; answer: string } | undefined> {
  const { id, turns = 0, model, digest } = Object(live.journal.notes.get(name)) as Partial<Kept>;
  if (id === undefined || model !== live.model) return undefined;
  if (turns === 0 || turns > live.thread.length) return undefined;
  if ((await digestOf(live, turns)) !== digest) return undefined;
  return { id, turns, answer: decodeUtf8(live.thread.content(turns - 1)) };
}
