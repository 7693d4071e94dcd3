// Remembers in this tab which session was open last, so that a reload opens it again.
import { withTabStorage } from '../../state/tab-storage.js';

const storedId = 'prompt-strata session';

/** The ID of the session that was open last. */
export interface LastOpen {
  id: string | undefined;
}

/** Keeps the ID as long as the tab. */
export const lastOpenInTab: LastOpen = {
  get id() {
    return withTabStorage((storage) => storage.getItem(storedId)) ?? undefined;
  },
  set id(id) {
    withTabStorage((storage) => storage.setItem(storedId, id ?? ''));
  },
};
