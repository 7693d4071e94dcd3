// Registers the service worker, so that the page works offline from the second visit on.

/** Call it after the first view is shown, so that it does not compete for the network. */
export function keepForOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  // The development server has no service worker, and some browsers refuse it in private windows.
  navigator.serviceWorker.register('./service-worker.js').catch(() => undefined);
}
