// Why this file exists: the three ways in which a history becomes shorter. Each keeps first what it takes
// away, and makes a new thread.
import type { PluginContext } from '../plugin.js';
import { withDisposable } from '../../base/dispose.js';
import { asReplacement, storeOutputs } from '../masking/tool-outputs.js';
import type { HistoryCut } from '../../types/compaction.js';
import type { Thread } from '../../types/thread.js';
import { decodeUtf8 } from '../../base/utf8.js';
import type { ShrunkHow } from '../../types/compaction.js';
import type { CompressionOptions } from './options.js';
import { shortened } from './summary-prompts.js';
import { NoSummary, restart, summarise } from './summary.js';

/** A thread that is shorter, and how. */
export interface Shrunk {
  thread: Thread;
  how: ShrunkHow;
}

/**
 * A summary, and the newest turns as they were; nothing where there is no place to cut.
 *
 * @throws NoSummary for one that is empty or too long, GeminiError for what the API refused
 */
export async function sumUp(
  thread: Thread,
  context: PluginContext,
  { keep = 0.3, form, model = context.model, check = form !== 'budget' }: CompressionOptions,
  target: number | undefined,
): Promise<Shrunk | undefined> {
  const cut = thread.compressionCut(1 - keep);
  if (cut.turns === 0) return undefined;
  const config = target === undefined ? undefined : { temperature: 0.3, maxOutputTokens: target };
  const summary = await summarise(thread, cut.turns, context, { model, check, config });
  if (summary === '') throw new NoSummary('empty', 'The summary was empty');
  const made = behind(thread, cut, restart(summary));
  if (made.tokens > thread.tokens) {
    throw new NoSummary('inflated', 'The summary is longer than what it sums up');
  }
  await storeTurns(thread, cut, context);
  return { thread: made, how: { how: 'summary', turns: cut.turns, storedAs: cut.storedAs } };
}

/** Old results of tools, each with its middle left out. */
export async function shorten(thread: Thread, context: PluginContext): Promise<Shrunk | undefined> {
  const edits = thread.shortenOutputs({ prefix: shortened });
  if (edits.length === 0) return undefined;
  const storedAs = (await storeOutputs(edits, context)).map((output) => output.storedAs);
  const how: ShrunkHow = { how: 'shortened', turns: edits.length, storedAs };
  return { thread: thread.rewrite(edits.map(asReplacement)), how };
}

/** What the first `turns` of a thread count. */
export function tokensOfFirst(thread: Thread, turns: number): number {
  return turns > 0 ? withDisposable(thread.fork(turns), ({ tokens }) => tokens) : 0;
}

/** The newest turns that fit, behind an earlier summary if there is one. */
export async function truncate(
  thread: Thread,
  context: PluginContext,
  limits: { contextTokens: number; reserve: number },
): Promise<Shrunk | undefined> {
  const summary = earlierSummary(thread);
  const summaryTokens = tokensOfFirst(thread, summary.length);
  const cut = thread.historyBudget({ ...limits, summaryTokens });
  if (cut.turns <= summary.length) return undefined;
  await storeTurns(thread, cut, context);
  context.emit({ type: 'diagnostics', diagnostics: [cut.diagnostic] });
  const how: ShrunkHow = { how: 'truncated', turns: cut.turns, storedAs: cut.storedAs };
  return { thread: behind(thread, cut, summary), how };
}

async function storeTurns(
  thread: Thread,
  { turns, storedAs }: HistoryCut,
  { store }: PluginContext,
) {
  await store(
    storedAs,
    withDisposable(thread.fork(turns), (old) => old.save()),
  );
}

// The words that the current turn began with stay, to the byte, where its answer goes on.
function behind(thread: Thread, { turns, opening }: HistoryCut, front: (string | Uint8Array)[]) {
  const asked = opening < 0 ? [] : [thread.content(opening)];
  return thread.rewrite([{ from: 0, to: turns, contents: [...front, ...asked] }]);
}

function earlierSummary(thread: Thread): Uint8Array[] {
  if (thread.length < 2) return [];
  const first = decodeUtf8(thread.content(0));
  return first.includes('<state_snapshot>') ? [thread.content(0), thread.content(1)] : [];
}
