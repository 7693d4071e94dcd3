// Opens the place where sessions are saved, and shows their list and state.
import { byId } from '../../../ui/dom.js';
import type { UndoOffer } from '../undo-offer.js';
import type { ViewContext } from '../../app.js';
import { lastOpenInTab } from './last-open.js';
import { showSaveState } from './save-note.js';
import { SavedSessions } from './saved-sessions.js';
import { claimSession } from './session-lock.js';
import { SessionList } from './session-list.js';
import { MemorySessions } from './session-storage.js';
import { Sessions } from './sessions.js';

/** Returns the sessions, with their list read, and the dialog that shows them. */
export async function openSessions(
  { document: store, announce }: ViewContext,
  offers: UndoOffer,
): Promise<{ sessions: Sessions; list: SessionList }> {
  const saved = await SavedSessions.open().catch(() => undefined);
  const isSaved = saved !== undefined;
  const place = byId('saving', HTMLElement);
  const sessions: Sessions = new Sessions({
    storage: saved ?? new MemorySessions(),
    document: store,
    claim: claimSession,
    lastOpen: lastOpenInTab,
    onChange: () => showSaveState(place, sessions, isSaved),
  });
  await sessions.load();
  // The last change is saved when the page is left.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void sessions.flush();
  });
  const offer = (label: string, restore: () => Promise<void>) => offers.offer(label, restore);
  return { sessions, list: new SessionList(sessions, { isSaved, announce, offer }) };
}
