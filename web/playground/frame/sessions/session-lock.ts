// Claims a session for one tab with a lock of the browser.
import type { Claim, Release } from './session-claim.js';

const nameOf = (id: string) => `prompt-strata session ${id}`;

// Returns a function that gives the lock back; undefined if another tab has it.
function request(id: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const options = { ifAvailable: true };
    const hold = (lock: Lock | null) => {
      if (lock) return new Promise<void>((end) => resolve(end));
      resolve(undefined);
      return undefined;
    };
    navigator.locks.request(nameOf(id), options, hold).catch(reject);
  });
}

/** Claims a session, as `Claim` says. */
export const claimSession: Claim = async (id) => {
  const nothing = () => {};
  // Insecure pages have no locks, and some browsers refuse them.
  return 'locks' in navigator ? request(id).catch(() => nothing) : nothing;
};
