// Claims a session for one tab with a lock of the browser, until the tab releases it or is closed.

/** Gives a session back. */
export type Release = () => void;

/** Claims a session for this tab. Returns undefined if another tab has it open. */
export type Claim = (id: string) => Promise<Release | undefined>;

/** Claims a session. Where the browser has no locks, each tab works on a copy of its own. */
export const claimSession: Claim = (id) =>
  new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      if (lock) return new Promise<void>((end) => resolve(end));
      resolve(undefined);
      return undefined;
    };
    const name = `prompt-strata session ${id}`;
    const refused = () => resolve(undefined);
    // Insecure pages have no locks, and some browsers refuse them.
    if ('locks' in navigator)
      navigator.locks.request(name, { ifAvailable: true }, hold).catch(refused);
    else refused();
  });
