// Reads the lines of a stored conversation into a thread. What cannot be read is an error with its place, or is left
// out. Loaded when there are such lines.
import { dispose } from '../internal/lifetime.js';
import { HistoryError, type StrataError } from '../internal/errors.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Strata } from '../types/strata.js';
import type { Thread, ThreadOptions } from '../types/thread.js';
import type { Journal } from './journal.js';

/** Stored lines, and the name of the place that has them. */
interface StoredLines {
  lines: readonly string[];
  /** Returns a name for messages. */
  place: () => string;
}

/** What could be read of a damaged conversation. */
interface Salvaged {
  thread: Thread;
  /** One for each line that was left out. */
  diagnostics: Diagnostic[];
}

interface Line {
  text: string;
  /** From 1. */
  number: number;
}

interface Fault {
  line: Line;
  reason: string;
}

const noTurn = /^\{"strata":1,"kind":"(?:started|result|note)"/;

function open(strata: Strata, options: ThreadOptions, lines: readonly Line[]): Thread {
  return strata.thread({
    ...options,
    format: 'strata',
    from: lines.map(({ text }) => text).join('\n'),
  });
}

// Paths are /contents/<turn>/… for rules, and /<line>/… for what is no saved turn.
function faultsOf(error: HistoryError, lines: readonly Line[]): Fault[] {
  const turns = lines.filter(({ text }) => !noTurn.test(text));
  return error.diagnostics.flatMap(({ severity, path, message }) => {
    const [, turn, at] = /^\/(?:contents\/(\d+)|(\d+))(?:\/|$)/.exec(path) ?? [];
    const line = turn === undefined ? lines[Number(at)] : turns[Number(turn)];
    return severity === 'error' && line ? [{ line, reason: message }] : [];
  });
}

const byNumber = (a: Fault, b: Fault) => a.line.number - b.line.number;

const numbered = (lines: readonly string[]): Line[] =>
  lines
    .map((text, index) => ({ text, number: index + 1 }))
    .filter(({ text }) => text.trim() !== '');

// Without the line itself, which may hold what no log should.
function damagedError({ place }: StoredLines, [first]: Fault[], cause: StrataError): HistoryError {
  const where = first ? `, line ${first.line.number}` : '';
  const reason = first?.reason ?? cause.message;
  const message =
    `${place()}${where} cannot be read: ${reason.replace(/\.$/, '')}. Repair it, or open the conversation with ` +
    "{ damaged: 'salvage' }, which keeps what can be read.";
  return new HistoryError('store.damaged', message, cause.diagnostics, cause);
}

/**
 * Returns the thread of stored lines.
 *
 * @throws HistoryError `store.damaged` with the place and the line
 */
function storedThread(strata: Strata, options: ThreadOptions, stored: StoredLines): Thread {
  const lines = numbered(stored.lines);
  try {
    return open(strata, options, lines);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    throw damagedError(stored, faultsOf(error, lines).sort(byNumber), error);
  }
}

// A line by itself shows whether it is a saved turn; whether it may stand where it does, only all of them.
function isReadable(strata: Strata, options: ThreadOptions, line: Line): boolean {
  if (noTurn.test(line.text)) return true;
  try {
    open(strata, { ...options, policy: 'warn' }, [line])[dispose]();
    return true;
  } catch (error) {
    if (error instanceof HistoryError) return false;
    throw error;
  }
}

/**
 * Returns the thread of the lines that can be read and that the API takes in this order.
 *
 * @throws HistoryError `store.damaged` if that leaves no thread
 */
function salvagedThread(strata: Strata, options: ThreadOptions, stored: StoredLines): Salvaged {
  const faults: Fault[] = [];
  let lines = numbered(stored.lines);
  const leaveOut = (more: readonly Fault[]) => {
    faults.push(...more);
    lines = lines.filter((line) => !more.some((fault) => fault.line === line));
  };
  const reason = 'it is no saved turn';
  leaveOut(
    lines.filter((line) => !isReadable(strata, options, line)).map((line) => ({ line, reason })),
  );
  for (;;) {
    try {
      const thread = open(strata, options, lines);
      return { thread, diagnostics: diagnosticsOf(stored, faults) };
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      const more = faultsOf(error, lines);
      if (more.length === 0) throw damagedError(stored, [], error);
      leaveOut(more);
    }
  }
}

function diagnosticsOf({ place }: StoredLines, faults: readonly Fault[]): Diagnostic[] {
  const reasons = new Map<number, string>();
  for (const { line, reason } of [...faults].sort(byNumber))
    if (!reasons.has(line.number)) reasons.set(line.number, reason);
  return [...reasons].map(([number, reason]) => ({
    code: 'store.damaged',
    severity: 'warning',
    path: `/${number - 1}`,
    message: `${place()}, line ${number} was left out: ${reason}`,
  }));
}

const keptNews = (name: string): Diagnostic => ({
  ...{ code: 'store.damaged', severity: 'info', path: '' },
  message: `The first write stores the original lines as "${name}", which readStored returns`,
});

/**
 * Opens the turns that a store has. Those that cannot be read are left out if the caller says so; then the journal keeps
 * the original lines.
 *
 * @throws HistoryError `store.damaged` with the place and the line
 */
export function openLines(
  strata: Strata,
  options: ThreadOptions,
  journal: Journal,
  lines: readonly string[],
  damaged: 'salvage' | undefined,
): Salvaged {
  const stored = { lines, place: () => journal.place };
  try {
    return { thread: storedThread(strata, options, stored), diagnostics: [] };
  } catch (error) {
    if (damaged !== 'salvage' || Object(error).code !== 'store.damaged') throw error;
    const { thread, diagnostics } = salvagedThread(strata, options, stored);
    const name = `damaged ${options.now ?? ''}`;
    journal.keepOriginal(name);
    return { thread, diagnostics: [...diagnostics, keptNews(name)] };
  }
}
