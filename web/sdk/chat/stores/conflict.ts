// Refuses to write a conversation that somebody else has written meanwhile: their turns would be lost.
import { StrataError } from '../../internal/errors.js';

/**
 * Compares the number of stored lines with the one that the writer knows of, if it does.
 *
 * @throws StrataError `store.conflict`
 */
export function checkLines(stored: number, expected = stored): void {
  if (stored === expected) return;
  throw new StrataError(
    'store.conflict',
    `Another writer has changed this conversation: it has ${stored} lines, not ${expected}. Open it again.`,
  );
}
