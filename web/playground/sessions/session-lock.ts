// Claims a session for one tab, so that two tabs never save over each other.

type Release = () => void;

/** The session that this tab has claimed. A shared link takes no session away from it. */
let claimed: { id: string; release: Release } | undefined;

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

/** Claims a session in place of the one claimed before. Returns false if another tab has it open. */
export async function claimSession(id: string): Promise<boolean> {
  if (id === claimed?.id) return true;
  const nothing = () => {};
  // Insecure pages have no locks, and some browsers refuse them.
  const release = 'locks' in navigator ? await request(id).catch(() => nothing) : nothing;
  if (!release) return false;
  claimed?.release();
  claimed = { id, release };
  return true;
}
