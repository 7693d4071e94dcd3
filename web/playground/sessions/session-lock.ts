// Claims a session for one tab, so that two tabs never save over each other.

let release: (() => void) | undefined;
/** The session that this tab has claimed. A shared link takes no session away from it. */
let claimed: string | undefined;

const nameOf = (id: string) => `prompt-strata session ${id}`;

// Resolves when the lock is granted or refused, and holds a granted one until `release` is called.
function request(id: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const options = { ifAvailable: true };
    const hold = (lock: Lock | null) => {
      resolve(lock !== null);
      if (lock) return new Promise<void>((end) => (release = end));
      return undefined;
    };
    navigator.locks.request(nameOf(id), options, hold).catch(reject);
  });
}

/** Claims a session in place of the one claimed before. Returns false if another tab has it open. */
export async function claimSession(id: string): Promise<boolean> {
  if (id === claimed) return true;
  const releaseOld = release;
  release = undefined;
  // Insecure pages have no locks, and some browsers refuse them.
  const isClaimed = 'locks' in navigator ? await request(id).catch(() => true) : true;
  if (isClaimed) {
    claimed = id;
    releaseOld?.();
  } else release = releaseOld;
  return isClaimed;
}
