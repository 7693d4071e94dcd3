// Why this file exists: what a store gives back may have been damaged by anyone, and then it must say so
// in our words.
import { HistoryError } from '../base/errors.js';

/** Reads one line of a stored conversation. */
export function readStored(line: string) {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const message = `A line of the stored conversation is not JSON: ${line.slice(0, 60)}…`;
    throw new HistoryError('json.invalid', message, [], cause);
  }
}
