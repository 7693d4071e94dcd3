// Appends an answer to the thread with its bytes unchanged. An answer that the API itself would refuse to take
// back (a functionCall without its signature, for example) is a fault, or gets Google's documented placeholder.
import { requestIdOf } from '../base/request-id.js';
import { GeminiError, HistoryError } from '../base/errors.js';
import { isCount } from '../base/options.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { LintOptions } from '../types/lint.js';
import type { Manifest } from '../types/manifest.js';
import type { Answer } from '../types/response.js';
import type { Strata } from '../types/strata.js';
import { decodeUtf8 } from '../base/utf8.js';
import { functionCallsIn, isBlank, type Content } from '../base/content.js';
import { stepEnding, stepOpening } from '../tools/results-content.js';
import type { SendContext } from './send-request.js';
import type { Events } from './event-queue.js';

/** An answer and its parsed Content. */
export interface AcceptedAnswer extends Answer {
  readable: Content;
}

/** Appends a complete answer to the thread; emits `empty` if it has no content. */
export async function* acceptAnswer(
  { live, strata, options }: SendContext,
  answer: AcceptedAnswer,
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
    if (!options.dummySignatures) throw unusableError(error, answer);
    const repaired = withPlaceholder(strata, answer, { model, backend, now: live.now() });
    if (!repaired) throw unusableError(error, answer);
    yield* live.append(repaired.content, meta);
    yield { type: 'diagnostics', diagnostics: repaired.diagnostics };
  }
}

function unusableError(
  error: HistoryError,
  { content, finishReason, response }: Answer,
): GeminiError {
  const requestId = requestIdOf(response);
  const details = { partial: content, finishReason, requestId };
  const message = `The API would refuse this answer in the next request: ${error.message}`;
  return new GeminiError('answer.unusable', message, details, error);
}

/** Returns the Content as `repair` fixes it, or undefined if an error remains. */
function withPlaceholder(
  strata: Strata,
  { content, readable }: AcceptedAnswer,
  target: LintOptions,
): { content: Uint8Array; diagnostics: Diagnostic[] } | undefined {
  // The results complete the step, so that every diagnostic is about the answer.
  const results = stepEnding(functionCallsIn(readable).map((call) => ({ call })));
  const body = `${stepOpening}${decodeUtf8(content ?? new Uint8Array(0))}${results}`;
  const repaired = strata.repair(body, { ...target, dummySignatures: true });
  const diagnostics = repaired.diagnostics.filter(({ repaired }) => repaired);
  if (!repaired.ok || !diagnostics.every(({ path }) => path.startsWith('/contents/1/'))) {
    return undefined;
  }
  const [start, end] = [stepOpening, results].map((text) => new TextEncoder().encode(text).length);
  return { content: repaired.body.slice(start, -(end ?? 0)), diagnostics };
}
