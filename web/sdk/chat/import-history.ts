// Converts the history of another client, for which it loads prompt-strata/check. Contents and saved threads need no
// conversion.
import { dispose } from '../internal/lifetime.js';
import { HistoryError } from '../internal/errors.js';
import type { Imported } from '../types/import.js';
import type { Thread } from '../types/thread.js';
import type { ConversationOptions } from './options.js';

/** The options of the turns that came before, and what their conversion has found. */
export interface OwnHistory {
  history: Pick<ConversationOptions, 'history'>;
  imported?: Imported;
}

/**
 * Returns the option `history` as a thread takes it. The core decides whether it can be read as it is: `open` lets it.
 *
 * @throws HistoryError if nothing can read it, StrataError for invalid options
 */
export async function importHistory(
  options: ConversationOptions,
  open: () => Thread,
): Promise<OwnHistory> {
  const { history = [], model, backend } = options;
  try {
    const thread = open();
    // The thread reads it once more, since the conversation checks the other options first.
    if (thread !== options.thread) thread[dispose]();
    return { history: { history } };
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
  }
  const { loadChecker } = await import('../../check/wasm-checker.js');
  const checker = await loadChecker();
  try {
    const imported = checker.import(history, { model, ...(backend && { backend }) });
    return { history: { history: imported.saved }, imported };
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    const { code, message, diagnostics } = error;
    throw new HistoryError(code, `The option history cannot be read: ${message}`, diagnostics);
  }
}
