// Why this file exists: what a prompt is made for, and that it is only made for what can be sent.
import { hasResults, readContent, spokenText } from '../base/content.js';
import { HistoryError } from '../base/errors.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Thread } from '../types/thread.js';

/** What the makers of prompts and arguments are told of the history. */
export interface HistorySnapshot {
  /** Turns, the user's message among them. */
  turns: number;
  /** What the user said last, also while tools run for it; '' where there is none. */
  text: string;
}

/** Looks for the user's words from the end; results of tools are not theirs. */
export function snapshotOf(thread: Thread): HistorySnapshot {
  const turns = thread.length;
  for (let index = turns - 1; index >= 0; index--) {
    const bytes = thread.content(index);
    const content = readContent(bytes);
    if (content.role === 'user' && !hasResults(bytes)) return { turns, text: spokenText(content) };
  }
  return { turns, text: '' };
}

/** Throws HistoryError for a history that the API would refuse. What its import told was decided then. */
export function checkHistory(thread: Thread): void {
  const { diagnostics } = thread.report();
  const fault = diagnostics.find(
    ({ severity, code }) => severity === 'error' && !code.startsWith('import.'),
  );
  if (fault) throw new HistoryError(fault.code, `${fault.message} (${fault.path})`, diagnostics);
}

/** `assemble`, but a request that the API would refuse throws HistoryError. */
export function assembleWhole(thread: Thread, input: AssembleInput): Assembled {
  const assembled = thread.assemble(input);
  const { ok, diagnostics } = assembled;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (!ok && fault) throw new HistoryError(fault.code, fault.message, diagnostics);
  return assembled;
}
