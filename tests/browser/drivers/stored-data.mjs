// Removes what a page has stored, so that the next test can use the same page: a new one starts several times slower.

/** A file of the page that stores nothing itself. While it is open, nothing of the page is. */
export const quietFile = 'third-party-notices.txt';

/** Runs in the page: removes everything that its origin has stored. */
export async function removeStored() {
  localStorage.clear();
  sessionStorage.clear();
  for (const registration of await navigator.serviceWorker.getRegistrations())
    await registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const { name } of await indexedDB.databases())
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = resolve;
      request.onerror = () => reject(request.error);
    });
}

/** Runs in the page: returns the names of everything that its origin has stored. */
export async function namesOfStored() {
  const registrations = await navigator.serviceWorker.getRegistrations();
  return [
    ...Object.keys({ ...localStorage, ...sessionStorage }),
    ...registrations.map(({ scope }) => scope),
    ...(await caches.keys()),
    ...(await indexedDB.databases()).map(({ name }) => name),
  ];
}
