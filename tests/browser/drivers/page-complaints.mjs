// Collects, inside a page, what went wrong and where it sent requests.

/** Runs in the page: collects errors, violations of the policy, and errors and warnings of the console. */
export function watchPage() {
  if (globalThis.watched) return;
  const watched = (globalThis.watched = []);
  addEventListener('error', ({ message }) => watched.push(`error: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) => watched.push(`rejection: ${reason}`));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    watched.push(`policy: ${violatedDirective} blocked ${blockedURI}`),
  );
  for (const level of ['error', 'warn']) {
    const write = console[level];
    console[level] = (...values) => {
      watched.push(`console.${level}: ${values.join(' ')}`);
      write.apply(console, values);
    };
  }
}

/** Runs in the page: returns what `watchPage` collected. */
export const watchedInPage = () => globalThis.watched ?? [];

/** Runs in the page: returns the origins of everything that it loaded. */
export const originsInPage = () =>
  performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin);
