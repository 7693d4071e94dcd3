// Why this file exists: an answer enters the thread as it came. One that the API itself would not take back
// (a call without its signature, for one) is a fault like any other, or gets the documented placeholder.
import { GeminiError, HistoryError } from '../base/errors.js';
import { isCount } from '../base/options.js';
import type { Backend } from '../types/backend.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Manifest } from '../types/manifest.js';
import type { Answer } from '../types/response.js';
import type { Strata } from '../types/strata.js';
import { decodeUtf8 } from '../base/utf8.js';
import { callsIn, isBlank, type Content } from '../base/content.js';
import { stepEnding, stepOpening } from '../tools/results-content.js';
import type { SendContext } from './request.js';
import type { Events } from './event-queue.js';

/** An answer in the thread, read once. */
export interface KeptAnswer extends Answer {
  readable: Content;
}

/** Adds a whole answer to the thread; tells `empty` where there is nothing to add. */
export async function* keepAnswer(
  { live, strata, options }: SendContext,
  answer: KeptAnswer,
  manifest: Manifest,
): Events {
  const { content, readable, usage, finishReason } = answer;
  if (!content || isBlank(readable)) {
    yield { type: 'empty', finishReason };
    return;
  }
  const { model, backend } = live;
  const tokens = usage['candidatesTokenCount'];
  const meta = { model, backend, manifest, ...(isCount(tokens) ? { tokens } : {}) };
  try {
    yield* live.append(content, meta);
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    if (!options.dummySignatures) throw unusable(error, answer);
    const mended = withPlaceholder(strata, answer, { model, backend });
    if (!mended) throw unusable(error, answer);
    yield* live.append(mended.content, meta);
    yield { type: 'diagnostics', diagnostics: mended.diagnostics };
  }
}

function unusable(error: HistoryError, { content, finishReason, response }: Answer): GeminiError {
  const { responseId } = Object(response);
  const requestId = typeof responseId === 'string' ? responseId : undefined;
  const known = { partial: content, finishReason, requestId };
  const message = `The API would not take this answer back: ${error.message}`;
  return new GeminiError('answer.unusable', message, known, error);
}

/** The Content with what `repair` can do about it; undefined where that is not enough. */
function withPlaceholder(
  strata: Strata,
  { content, readable }: KeptAnswer,
  target: { model: string; backend: Backend },
): { content: Uint8Array; diagnostics: Diagnostic[] } | undefined {
  // With its results the step is whole: what is found is about the answer alone.
  const results = stepEnding(callsIn(readable).map((call) => ({ call })));
  const body = `${stepOpening}${decodeUtf8(content ?? new Uint8Array(0))}${results}`;
  const repaired = strata.repair(body, { ...target, dummySignatures: true });
  const diagnostics = repaired.diagnostics.filter(({ repaired }) => repaired);
  if (!repaired.ok || !diagnostics.every(({ path }) => path.startsWith('/contents/1/'))) {
    return undefined;
  }
  const [start, end] = [stepOpening, results].map((text) => new TextEncoder().encode(text).length);
  return { content: repaired.body.slice(start, -(end ?? 0)), diagnostics };
}
