// Uses what the browser stores for this tab or for the page. Some browsers refuse it, for example in frames of other
// sites; a value then lasts until the page is reloaded.

type Place = 'tab' | 'page';

// Calls `use` with the storage of this tab, or of all tabs of the page.
function withStorage<Result>(place: Place, use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(place === 'tab' ? sessionStorage : localStorage);
  } catch {
    return undefined;
  }
}

export const readStored = (place: Place, name: string): string | undefined =>
  withStorage(place, (storage) => storage.getItem(name)) ?? undefined;

/** Stores a value. `undefined` removes it. */
export function store(place: Place, name: string, value: string | undefined): void {
  withStorage(place, (storage) =>
    value === undefined ? storage.removeItem(name) : storage.setItem(name, value),
  );
}
