// Prepares one request stage by stage, to send without a Conversation.
import { textContent } from '../internal/contents.js';
import { dispose } from '../internal/lifetime.js';
import { jsonPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { ContentInput } from '../types/gemini/contents.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import { assembleOrThrow, checkHistory, snapshotOf } from './history.js';
import { preparePrompt, type PreparedPrompt, type PromptSources } from './prepare-prompt.js';
import { Stages, type StageObserver } from './stages.js';

/** Input of `prepareRequest`: AssembleInput with a prompt that is compiled first. */
export interface RequestSources extends Omit<AssembleInput, 'trigger' | 'compiled'>, PromptSources {
  /** The user's text or complete Content. If blank or absent, the request ends with the thread's last turn. */
  message?: string | ContentInput | Uint8Array;
  onStage?: StageObserver;
}

function userMessage(message: RequestSources['message']) {
  if (typeof message !== 'string') return jsonPart(message, '/message');
  return message.trim() === '' ? undefined : textContent(message);
}

/**
 * Prepares one request in the stages build_user_message, snapshot_history, validate_history,
 * prepare_prompt_arguments, compile_prompt and assemble. `thread` does not change: append the message once the
 * request is sent.
 *
 * @throws HistoryError, TemplateError or StrataError: what a failing stage throws
 *
 * @example
 * const onStage = ({ stage, ms }) => console.log(stage, ms);
 * const { body } = await prepareRequest(strata, thread, { now, message: 'Hello', prompt, onStage });
 */
export async function prepareRequest(
  strata: Strata,
  thread: Thread,
  sources: RequestSources,
): Promise<Assembled> {
  must.object(sources, '');
  const { message, onStage, prompt, arguments: given, ...input } = sources;
  const stages = new Stages(onStage);
  const content = await stages.run('build_user_message', () => userMessage(message));
  const snapshot = await stages.run('snapshot_history', () => thread.fork());
  let prepared: PreparedPrompt | undefined;
  try {
    await stages.run('validate_history', () => {
      if (content !== undefined) snapshot.append(content);
      checkHistory(snapshot);
    });
    const history = snapshotOf(snapshot);
    const promptSources = { ...(prompt && { prompt }), ...(given && { arguments: given }) };
    prepared = await preparePrompt(strata, history, promptSources, input.now, stages);
    const completeInput = prepared.applyTo(input);
    const assembled = await stages.run('assemble', () => assembleOrThrow(snapshot, completeInput));
    prepared.addDiagnostics(assembled);
    return assembled;
  } finally {
    prepared?.[dispose]();
    snapshot[dispose]();
  }
}
