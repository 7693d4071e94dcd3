// Says in the footer whether the open session is saved.
import { messageOf } from '../../../sdk/internal/messages.js';
import type { Sessions } from './sessions.js';

/** Shows the state. `isSaved`: whether the browser stores anything. */
export function showSaveState(place: HTMLElement, sessions: Sessions, isSaved: boolean): void {
  const { state, current } = sessions;
  if (!isSaved) place.textContent = 'This browser refuses storage here: nothing is saved.';
  else if (typeof state === 'object')
    place.textContent = `The last change is not saved: ${messageOf(state.failed)}`;
  else if (!current) place.textContent = 'A shared link, not saved until you fork it.';
  else place.textContent = state === 'saved' ? 'Saved in this browser.' : 'Saving';
}
