// Bounds what the view Lint takes and draws, so that no input stops the page.
import type { LintFinding } from './lint-result.js';

/** The longest text, in UTF-16 units. */
export const maxTextLength = 6_000_000;

/** The longest text that is shown before the editor is loaded. */
export const maxPlainLength = 100_000;

/** How many findings the list shows at once. */
export const shownFindings = 60;

/** How many underlines the editor draws. */
export const shownMarks = 500;

/** How long the user must not type before the text is analyzed. */
export const restMs = 150;

/** How many Contents of a history the outline draws. */
export const shownContents = 600;

/** Returns at most `limit` findings, those of the chosen request first, in the order in which they are given. */
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
