// Why this file exists: asks a model for the summary of a thread, and for a second look at it.
import { readAnswer } from '../../client/read-answer.js';
import { readContent, spokenText } from '../../base/content.js';
import type { PluginContext } from '../plugin.js';
import { dispose, withDisposable } from '../../base/dispose.js';
import { asReplacement } from '../masking/tool-outputs.js';
import type { Thread } from '../../types/thread.js';
import type { CompressionFailure } from '../../types/compaction.js';
import {
  acknowledgement,
  checkRequest,
  instruction,
  introduction,
  pause,
} from './summary-prompts.js';
import { request, shortened } from './summary-prompts.js';

/** A summary that can't be used. */
export class NoSummary extends Error {
  readonly failure: CompressionFailure;

  constructor(failure: CompressionFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** How the summary is asked for. */
export interface SummaryRequest {
  model: string;
  check: boolean;
  /** `generationConfig`. */
  config: { temperature: number; maxOutputTokens: number } | undefined;
}

/** The snapshot in an answer, without what stands around it; all of it where the tag is missing. */
function snapshotIn(answer: string): string {
  const found = /<state_snapshot>[\s\S]*<\/state_snapshot>/.exec(answer)?.[0];
  return (found ?? answer.replace(/<scratchpad>[\s\S]*?<\/scratchpad>/, '')).trim();
}

const content = (role: 'user' | 'model', text: string) =>
  JSON.stringify({ role, parts: [{ text }] });

/** The Contents that a summary becomes. */
export const restart = (summary: string): string[] => [
  content('user', `${introduction}\n\n${summary}`),
  content('model', acknowledgement),
];

/** The first turns of a thread as they are summed up: long old results without their middle. */
function materialOf(thread: Thread, turns: number): Thread {
  const material = withDisposable(thread.fork(turns), (part) =>
    part.rewrite(part.shortenOutputs({ prefix: shortened }).map(asReplacement)),
  );
  const { role } = readContent(material.content(material.length - 1));
  if (role !== 'model') material.append(content('model', pause));
  return material;
}

async function ask(
  thread: Thread,
  trigger: string,
  { client, strata, signal, now }: PluginContext,
  { model, config }: SummaryRequest,
): Promise<string> {
  const { body, ok, diagnostics } = thread.assemble({
    now: now(),
    static: { text: instruction },
    dynamic: { text: '' },
    ...(config && { generationConfig: config }),
    bufferTokens: -1,
    trigger,
  });
  if (!ok) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  const response = await client.stream(model, body, { signal });
  const events = readAnswer(response, { strata, client, model, body, signal });
  for (;;) {
    const { done, value } = await events.next();
    // One that was cut or filtered is no summary.
    if (done) return value.finishReason === 'STOP' ? spokenText(readContent(value.content)) : '';
  }
}

/**
 * The summary of a thread's first turns; '' where the model wrote none.
 *
 * @throws GeminiError for what the API refused or broke off
 */
export async function summarise(
  thread: Thread,
  turns: number,
  context: PluginContext,
  wanted: SummaryRequest,
): Promise<string> {
  const material = materialOf(thread, turns);
  try {
    const first = snapshotIn(await ask(material, request, context, wanted));
    if (first === '' || !wanted.check) return first;
    material.append(content('user', request));
    material.append(content('model', first));
    const second = snapshotIn(await ask(material, checkRequest, context, wanted));
    return second === '' ? first : second;
  } finally {
    material[dispose]();
  }
}
