// Shortens a history in one of three ways: a summary, which a model is asked for, shortened tool results, or removal of
// the oldest turns. Each stores what it removes first and returns a new thread.
import { readAnswer } from '../../sdk/client/read-answer.js';
import { stream } from '../../sdk/client/sent-request.js';
import type { CompressionOptions } from '../../sdk/chat/plugin-options.js';
import type { PluginContext } from '../../sdk/chat/plugin.js';
import type { RequestFieldValues } from '../../sdk/chat/request-fields.js';
import { dispose, withDisposable } from '../../sdk/internal/lifetime.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type {
  CompressionFailure,
  HistoryCut,
  Removal,
  ShrunkHow,
} from '../../sdk/types/compaction.js';
import type { Diagnostic } from '../../sdk/types/diagnostic.js';
import type { Thread } from '../../sdk/types/thread.js';
import { asReplacement, storeOutputs } from '../masking.js';
import { ownWire } from '../own-wire.js';
import {
  acknowledgement,
  checkRequest,
  instruction,
  introduction,
  pause,
  requestWithin,
  shortened,
} from './summary-prompts.js';

// In front of the snapshot, which may speak of scratchpads itself. It ends at its tag, or before the snapshot if that is
// missing.
const scratchpad =
  /^((?:(?!<state_snapshot>)[\s\S])*?)<scratchpad>(?:[\s\S]*?<\/scratchpad>|[\s\S]*?(?=<state_snapshot>|$))/;

function withoutScratchpad(answer: string): string {
  let rest = answer;
  while (scratchpad.test(rest)) rest = rest.replace(scratchpad, '$1');
  return rest.trim();
}

const snapshot = /<state_snapshot>([\s\S]*)<\/state_snapshot>/;

/** Returns the snapshot in an answer with its tags, or '' if there is none or nothing in it. */
function snapshotIn(answer: string): string {
  const [whole = '', content = ''] = snapshot.exec(withoutScratchpad(answer)) ?? [];
  return content.trim() === '' ? '' : whole;
}

/** Returns the snapshot in an answer; if it has no tags, all of the answer but its scratchpad. */
function summaryIn(answer: string): string {
  const text = withoutScratchpad(answer);
  return snapshot.test(text) ? snapshotIn(text) : text;
}

/** Returns a Content of one text. */
const textTurn = (role: 'user' | 'model', text: string): string =>
  JSON.stringify({ role, parts: [{ text }] });

/** Returns the Contents that replace the summarized turns. */
const summaryContents = (summary: string): string[] => [
  textTurn('user', `${introduction}\n\n${summary}`),
  textTurn('model', acknowledgement),
];

const opening = textTurn('user', `${introduction}\n\n`).slice(0, -'"}]}'.length);
const reply = textTurn('model', acknowledgement);

/** Returns the two turns of an earlier summary with which a thread starts, or none. */
function earlierSummary(thread: Thread): Uint8Array[] {
  if (thread.length < 2) return [];
  const pair = [thread.content(0, 'content'), thread.content(1, 'content')] as const;
  const isSummary = decodeUtf8(pair[0]).startsWith(opening) && decodeUtf8(pair[1]) === reply;
  return isSummary ? [...pair] : [];
}

/** Returns the tokens of the first `turns` turns. */
export function tokensOfFirst(thread: Thread, turns: number): number {
  return turns > 0 ? withDisposable(thread.fork(turns), ({ tokens }) => tokens) : 0;
}

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
  const openingContents = opening < 0 ? [] : [thread.content(opening, 'content')];
  return thread.rewrite([{ from: 0, to: turns, contents: [...replacement, ...openingContents] }]);
}

/** A summary that cannot be used. */
export class SummaryError extends Error {
  readonly failure: CompressionFailure;

  constructor(failure: CompressionFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** How the summary is requested. */
interface SummaryRequest {
  model: string;
  check: boolean;
  /** Tokens that the summary should have at most; undefined: as many as it needs. */
  target: number | undefined;
}

// Thoughts and the scratchpad count as output too, so a limit of the summary's size alone would leave it no room.
const leastOutputTokens = 8192;

/** Returns the `generationConfig` for a summary of at most `target` tokens. */
function configFor(
  { model, target }: SummaryRequest,
  { strata, backend, now, limits, model: ownModel }: PluginContext,
) {
  if (target === undefined) return undefined;
  const known = model === ownModel ? limits() : strata.modelLimits(model, { backend, now: now() });
  const wanted = Math.max(leastOutputTokens, target);
  return { temperature: 0.3, maxOutputTokens: Math.min(wanted, known.outputTokens) };
}

/** Returns the turns to summarize, as a new thread with long old results shortened. */
function threadToSummarize(thread: Thread, turns: number): Thread {
  return withDisposable(thread.fork(turns), (part) =>
    part.rewrite(part.shortenOutputs({ prefix: shortened }).map(asReplacement)),
  );
}

const errorsIn = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)
    .join('; ');

/** What is asked, and why. */
interface Question {
  trigger: string;
  purpose: 'summary' | 'summaryCheck';
}

async function ask(
  thread: Thread,
  { trigger, purpose }: Question,
  context: PluginContext,
  options: SummaryRequest,
): Promise<string> {
  const { requestFields, emit } = context;
  const question = { trigger, purpose };
  return requestFields.run((fields) => askOnce(thread, question, context, options, fields), emit);
}

async function askOnce(
  thread: Thread,
  { trigger, purpose }: Question,
  context: PluginContext,
  options: SummaryRequest,
  fields: RequestFieldValues,
): Promise<string> {
  const { client, strata, signal, emit, now, safetySettings } = context;
  const { model } = options;
  const generationConfig = configFor(options, context);
  const own = ownWire(context, model);
  const { body, manifest, ok, diagnostics } = thread.assemble({
    ...fields,
    ...own,
    now: now(),
    static: { text: instruction },
    dynamic: { text: '' },
    ...(generationConfig && { generationConfig }),
    ...(safetySettings !== undefined && { safetySettings }),
    bufferTokens: -1,
    trigger,
  });
  if (!ok) throw new Error(errorsIn(diagnostics));
  const scope = { client, signal, emit };
  const about = { type: 'request', purpose, model, body, manifest } as const;
  const request = own ? { ...about, wire: own.wire } : about;
  emit(request);
  const response = await stream(scope, request);
  const answer = await readAnswer(response, { core: strata, ...scope, request });
  // Truncated or filtered answers are not used.
  return answer.finishReason === 'STOP' ? answer.text : '';
}

// Returns the corrected snapshot, or '' if there is none: a failing check does not make a summary useless.
async function checked(
  material: Thread,
  context: PluginContext,
  options: SummaryRequest,
): Promise<string> {
  try {
    // Without the tag, the answer may only say that nothing is missing.
    const question = { trigger: checkRequest, purpose: 'summaryCheck' } as const;
    return snapshotIn(await ask(material, question, context, options));
  } catch (error) {
    if (context.signal.aborted) throw error;
    return '';
  }
}

/**
 * Returns the summary of a thread's first turns, or '' if the model wrote none.
 *
 * @throws GeminiError if the API refuses a request or an answer is incomplete
 */
async function summarize(
  thread: Thread,
  turns: number,
  context: PluginContext,
  options: SummaryRequest,
): Promise<string> {
  const request = requestWithin(options.target);
  const material = threadToSummarize(thread, turns);
  try {
    if (material.tail.kind !== 'model') material.append(textTurn('model', pause));
    const question = { trigger: request, purpose: 'summary' } as const;
    const first = summaryIn(await ask(material, question, context, options));
    if (first === '' || !options.check) return first;
    material.append(textTurn('user', request));
    material.append(textTurn('model', first));
    return (await checked(material, context, options)) || first;
  } finally {
    material[dispose]();
  }
}
