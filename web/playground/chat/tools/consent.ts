// Remembers which scripts may run without a click. It is kept in memory: a reload forgets it, and no link sets it.

const allowed = new Set<string>();

/** Whether the user allowed exactly this script since the page was loaded. */
export const isAllowed = (script: string): boolean => allowed.has(script);

/** Lets a script run without a click until the page is reloaded. */
export function allow(script: string): void {
  allowed.add(script);
}
