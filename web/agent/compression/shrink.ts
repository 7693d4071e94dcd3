// Shortens a history in one of three ways: a summary, shortened tool results, or removal of the oldest turns.
// Each stores what it removes first and returns a new thread.
import type { PluginContext } from '../../sdk/chat/plugin.js';
import { dispose, withDisposable } from '../../sdk/internal/lifetime.js';
import { asReplacement, storeOutputs } from '../masking/tool-outputs.js';
import type { HistoryCut, Removal, ShrunkHow } from '../../sdk/types/compaction.js';
import type { Thread } from '../../sdk/types/thread.js';
import { tokensOfFirst } from './history-size.js';
import type { CompressionOptions } from '../../sdk/chat/plugin-options.js';
import { shortened } from './summary-prompts.js';
import { summarize, SummaryError } from './summary.js';
import { earlierSummary, summaryContents } from './summary-turns.js';

/** A shortened thread, and how it was shortened. */
export interface Shrunk {
  thread: Thread;
  how: ShrunkHow;
}

// A summary must replace this share of what it would replace if all of the prompt were history: what stays may exceed
// the threshold by itself, and each request would make another summary.
const leastShare = 0.2;

/** Returns the tokens of the turns that only a summary makes shorter: no earlier summary, and no opening that stays. */
function replaceableTokens(thread: Thread, { turns, opening }: HistoryCut): number {
  const summary = Math.min(turns, earlierSummary(thread).length);
  const openingTokens =
    opening < 0 ? 0 : tokensOfFirst(thread, opening + 1) - tokensOfFirst(thread, opening);
  return tokensOfFirst(thread, turns) - tokensOfFirst(thread, summary) - openingTokens;
}

// The largest fraction that `compressionCut` takes: no split point has more turns before it than the last one.
const lastSplitPoint = 1 - Number.EPSILON;

/**
 * Replaces the oldest turns with a summary and keeps the newest ones unchanged. Returns undefined if the
 * history has no split point, or if too little of `threshold`, estimated tokens, would be replaced.
 *
 * @throws SummaryError for an empty or too long summary, GeminiError if the API refuses a request
 */
export async function compressToSummary(
  thread: Thread,
  context: PluginContext,
  { keep = 0.3, form, model = context.model, check = form !== 'budget' }: CompressionOptions,
  { threshold, target }: { threshold: number; target: number | undefined },
): Promise<Shrunk | undefined> {
  const cut = thread.compressionCut(Math.min(1 - keep, lastSplitPoint));
  const least = leastShare * (1 - keep) * threshold;
  if (cut.turns === 0 || replaceableTokens(thread, cut) < least) return undefined;
  const summary = await summarize(thread, cut.turns, context, { model, check, target });
  if (summary === '') throw new SummaryError('empty', 'The summary is empty');
  const shrunk = replaceOldTurns(thread, cut, summaryContents(summary));
  try {
    if (shrunk.tokens > thread.tokens) {
      throw new SummaryError('inflated', 'The summary is longer than the turns that it replaces');
    }
    await storeTurns(thread, cut, context);
    context.recordRemoval(removalOf(cut, { summary: summaryContents(summary).length, earlier: 0 }));
  } catch (error) {
    shrunk[dispose]();
    throw error;
  }
  return { thread: shrunk, how: { how: 'summary', turns: cut.turns, storedAs: cut.storedAs } };
}

/** Removes the middle of old tool results. Returns undefined if none is long enough. */
export async function shortenOldResults(
  thread: Thread,
  context: PluginContext,
): Promise<Shrunk | undefined> {
  const edits = thread.shortenOutputs({ prefix: shortened });
  if (edits.length === 0) return undefined;
  const storedAs = (await storeOutputs(edits, context)).map((output) => output.storedAs);
  const how: ShrunkHow = { how: 'shortened', turns: edits.length, storedAs };
  return { thread: thread.rewrite(edits.map(asReplacement)), how };
}

/**
 * Removes the oldest turns after an earlier summary, if any, until the rest fits. `others` are the tokens of the
 * prompt that the history's estimate lacks.
 */
export async function removeOldTurns(
  thread: Thread,
  context: PluginContext,
  limits: { contextTokens: number; reserve: number },
  others: number,
): Promise<Shrunk | undefined> {
  const summary = earlierSummary(thread);
  const summaryTokens = others + tokensOfFirst(thread, summary.length);
  const cut = thread.historyBudget({ ...limits, summaryTokens });
  if (cut.turns <= summary.length) return undefined;
  await storeTurns(thread, cut, context);
  context.recordRemoval(removalOf(cut, { summary: 0, earlier: summary.length }));
  context.emit({ type: 'diagnostics', diagnostics: [cut.diagnostic] });
  const how: ShrunkHow = { how: 'truncated', turns: cut.turns, storedAs: cut.storedAs };
  return { thread: replaceOldTurns(thread, cut, summary), how };
}

// An earlier summary and the Opening Content that stays are among the turns that were stored.
const removalOf = (
  { storedAs, opening }: HistoryCut,
  { summary, earlier }: { summary: number; earlier: number },
): Removal => ({ storedAs, summary, repeated: earlier + Number(opening >= 0) });

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

// If the split point lies within the current turn, its Opening Content stays, byte for byte.
function replaceOldTurns(
  thread: Thread,
  { turns, opening }: HistoryCut,
  replacement: (string | Uint8Array)[],
) {
  const openingContents = opening < 0 ? [] : [thread.content(opening)];
  return thread.rewrite([{ from: 0, to: turns, contents: [...replacement, ...openingContents] }]);
}
