// Requests the summary of a thread from a model, and optionally a check of that summary.
import { readAnswer } from '../../sdk/client/read-answer.js';
import { stream } from '../../sdk/client/sent-request.js';
import type { PluginContext } from '../../sdk/chat/plugin.js';
import type { RequestFieldValues } from '../../sdk/chat/request-fields.js';
import { dispose, withDisposable } from '../../sdk/internal/lifetime.js';
import { asReplacement } from '../masking/tool-outputs.js';
import type { Thread } from '../../sdk/types/thread.js';
import type { CompressionFailure } from '../../sdk/types/compaction.js';
import type { Diagnostic } from '../../sdk/types/diagnostic.js';
import { checkRequest, instruction, pause, requestWithin, shortened } from './summary-prompts.js';
import { snapshotIn, summaryIn } from './summary-text.js';
import { textTurn } from './summary-turns.js';

/** A summary that cannot be used. */
export class SummaryError extends Error {
  readonly failure: CompressionFailure;

  constructor(failure: CompressionFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** How the summary is requested. */
export interface SummaryRequest {
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
  const { body, manifest, ok, diagnostics } = thread.assemble({
    ...fields,
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
  const request = { type: 'request', purpose, model, body, manifest } as const;
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
export async function summarize(
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
