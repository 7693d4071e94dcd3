// Finds what a request is told from a later day on: by models that end, and by rules and routes that begin.
import type { Diagnostic } from '../check/index.js';

const dayMs = 86_400_000;

const keyOf = ({ code, path, severity }: Diagnostic) => `${severity} ${code} ${path}`;

/**
 * Returns the findings within a number of days that do not hold today, each with the first day on which it holds. `lintAt`
 * returns the findings at a time, RFC 3339.
 */
export function changesWithin(
  days: number,
  now: string,
  lintAt: (now: string) => readonly Diagnostic[],
): Diagnostic[] {
  const timeOf = (day: number) => new Date(Date.parse(now) + day * dayMs).toISOString();
  const known = new Map<number, Set<string>>();
  const holdsOn = (day: number, key: string) => {
    if (!known.has(day)) known.set(day, new Set(lintAt(timeOf(day)).map(keyOf)));
    return known.get(day)?.has(key) === true;
  };
  return lintAt(timeOf(days)).flatMap((found) => {
    const key = keyOf(found);
    if (holdsOn(0, key)) return [];
    let [before, first] = [0, days];
    while (first - before > 1) {
      const middle = Math.floor((before + first) / 2);
      if (holdsOn(middle, key)) first = middle;
      else before = middle;
    }
    // Days begin in UTC, at any hour of `now`.
    const date = timeOf(first).slice(0, 10);
    return { ...found, message: `From ${date} on: ${found.message}` };
  });
}
