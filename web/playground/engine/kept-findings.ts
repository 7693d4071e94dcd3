// Chooses findings where there are too many: those of the chosen request come before any other.
import type { LintFinding } from './lint-result.js';

/** Returns at most `limit` findings, in the order in which they are given. */
export function keptFindings(
  findings: readonly LintFinding[],
  chosen: number,
  limit: number,
): LintFinding[] {
  const isChosen = ({ request }: LintFinding) => request === chosen;
  const others = findings.filter((finding) => !isChosen(finding));
  const kept = new Set([...findings.filter(isChosen), ...others].slice(0, limit));
  return findings.filter((finding) => kept.has(finding));
}
