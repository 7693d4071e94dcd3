// Uses the session storage of this tab, which some browsers refuse, for example in frames of other sites.

/** Calls `use` with the storage. Returns undefined if the browser refuses it. */
export function withTabStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
