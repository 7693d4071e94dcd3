// Parses one line of a stored conversation and reports damaged lines as HistoryError.
import { HistoryError } from '../base/errors.js';

/** Parses one line of a stored conversation. Throws HistoryError `json.invalid` for a damaged line. */
export function parseStoredLine(line: string) {
  try {
    return JSON.parse(line);
  } catch (cause) {
    const message = `A line of the stored conversation is not valid JSON: ${line.slice(0, 60)}…`;
    throw new HistoryError('json.invalid', message, [], cause);
  }
}
