// Shortens lists of diagnostics without hiding how many there are.
import type { Diagnostic } from '../types/diagnostic.js';

/** Returns how many faults a list stands for: those in it, at all their places, and those that it counts as `more`. */
export const countDiagnostics = (
  diagnostics: readonly { more?: number; places?: readonly unknown[] }[],
): number =>
  diagnostics.reduce((sum, { more = 0, places = [] }) => sum + 1 + places.length + more, 0);

const groupOf = ({ code, severity, repaired }: Diagnostic): string =>
  `${code} ${repaired ? 'repaired' : severity}`;

const errorsFirst = (diagnostics: readonly Diagnostic[]): Diagnostic[] => [
  ...diagnostics.filter(({ severity }) => severity === 'error'),
  ...diagnostics.filter(({ severity }) => severity !== 'error'),
];

// The last one counts those that are left out.
function countingOthers(shown: readonly Diagnostic[], all: number): Diagnostic[] {
  return shown.map(({ more: _, ...found }, index) => {
    const more = index === shown.length - 1 ? all - shown.length : 0;
    return more > 0 ? { ...found, more } : found;
  });
}

/**
 * Returns at most `most` diagnostics: the first of each code and severity, errors before others, then the rest. The
 * last one of a code and severity counts those that are left out as `more`. A list that is shortened has errors first.
 */
export function firstDiagnostics(diagnostics: readonly Diagnostic[], most: number): Diagnostic[] {
  if (diagnostics.length <= most) return [...diagnostics];
  const groups = new Map<string, Diagnostic[]>();
  for (const found of errorsFirst(diagnostics)) {
    const members = groups.get(groupOf(found));
    if (members) members.push(found);
    else groups.set(groupOf(found), [found]);
  }
  const firsts = [...groups.values()].flatMap((members) => members.slice(0, 1));
  const others = [...groups.values()].flatMap((members) => members.slice(1));
  const kept = new Set([...errorsFirst(firsts), ...errorsFirst(others)].slice(0, most));
  return [...groups.values()].flatMap((members) => {
    const shown = members.filter((found) => kept.has(found));
    return countingOthers(shown, countDiagnostics(members));
  });
}
