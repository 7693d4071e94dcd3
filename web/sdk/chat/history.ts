// Takes a snapshot of a thread's history for prompts and checks that a request can be sent.
import { HistoryError, StrataError } from '../internal/errors.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { CoreThread } from '../types/core-objects.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Thread } from '../types/thread.js';

/** What functions for `prompt` and `arguments` receive about the history. */
export interface HistorySnapshot {
  /** Number of turns, including the user's message. */
  turns: number;
  /** The text of the user's last message, also while tools run for it; '' if there is none. */
  text: string;
}

/**
 * Returns a snapshot with the last user turn that holds no tool results.
 *
 * @internal
 */
export const snapshotOf = (thread: Thread): HistorySnapshot =>
  (thread as CoreThread).lastUserText();

/**
 * Throws HistoryError if the API would refuse the history. Diagnostics of its import are not errors here.
 *
 * @internal
 */
export function checkHistory(thread: Thread): void {
  const { diagnostics } = thread.report();
  const fault = diagnostics.find(
    ({ severity, code }) => severity === 'error' && !code.startsWith('import.'),
  );
  if (fault) throw new HistoryError(fault.code, `${fault.message} (${fault.path})`, diagnostics);
}

/**
 * Assembles a request. Throws HistoryError if the API would refuse it.
 *
 * @internal
 */
export function assembleOrThrow(thread: Thread, input: AssembleInput): Assembled {
  const assembled = thread.assemble(input);
  const { ok, diagnostics } = assembled;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (!ok && fault) throw refusal(fault, diagnostics);
  return assembled;
}

/**
 * Returns the error of a refused request. A setting that is no field of the API is a mistake in the options.
 *
 * @internal
 */
export function refusal(
  { code, message, path }: Diagnostic,
  diagnostics: Diagnostic[],
): StrataError {
  const isOption = code.startsWith('field.') && !path.startsWith('/contents');
  const Refusal = isOption ? StrataError : HistoryError;
  return new Refusal(code, `${message} (${path})`, diagnostics);
}
