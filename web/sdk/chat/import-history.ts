// Reads the option `history`. For the history of another client, or one without signatures, it loads
// prompt-strata/check.
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

type History = ConversationOptions['history'];

/**
 * Returns the option `history` as a thread takes it. The core decides whether it can be read as it is: `open` lets it.
 *
 * @throws HistoryError if nothing can read it, or the API would refuse it; StrataError for invalid options
 */
export async function importHistory(
  options: ConversationOptions,
  open: (history: History) => Thread,
): Promise<OwnHistory> {
  const { history = [], model, backend, dummySignatures } = options;
  const check = (turns: History) => {
    const thread = open(turns);
    // The thread reads it once more, since the conversation checks the other options first.
    if (thread !== options.thread) thread[dispose]();
  };
  try {
    check(history);
    return { history: { history } };
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
  }
  const { loadChecker } = await import('../../check/wasm-checker.js');
  const checker = await loadChecker();
  const convert = (signatures?: 'dummy') => {
    const imported = checker.import(history, { model, signatures, ...(backend && { backend }) });
    check(imported.saved);
    // The system messages become the instruction, unless the caller has one.
    const isTaken = options.systemInstruction === undefined && options.static === undefined;
    const diagnostics = imported.diagnostics.filter(
      ({ code }) => code !== 'import.system_text' || !isTaken,
    );
    return { history: { history: imported.saved }, imported: { ...imported, diagnostics } };
  };
  try {
    return convert();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    // Placeholders have a cost, so they are only for a history that is refused without them.
    if (error.code === 'signature.missing' && dummySignatures) return convert('dummy');
    throw refused(error, history);
  }
}

function adviceFor(code: string, history: History): string {
  if (code === 'signature.missing')
    return ' With `dummySignatures: true`, it gets the placeholder that Google documents.';
  return typeof history === 'string' ? ' A text is read as JSON, such as a list of Contents.' : '';
}

function refused({ code, message, diagnostics }: HistoryError, history: History): HistoryError {
  const said = `The option history cannot be used as Contents: ${message}`;
  return new HistoryError(code, said + adviceFor(code, history), diagnostics);
}
