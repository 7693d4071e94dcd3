// Why this file exists: one request made stage by stage, for whoever sends it without a Conversation.
import { textContent } from '../base/content.js';
import { dispose } from '../base/dispose.js';
import { jsonPart } from '../base/json-input.js';
import * as must from '../base/options.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import { assembleWhole, checkHistory, snapshotOf } from './history.js';
import { preparePrompt, type PromptSources } from './prepare-prompt.js';
import { Stages, type StageObserver } from './stages.js';

/** What `prepareRequest` makes a request from: AssembleInput with a prompt that is still to be compiled. */
export interface RequestSources extends Omit<AssembleInput, 'trigger' | 'compiled'>, PromptSources {
  /** The user's text or whole Content. Blank or absent: the thread ends in what is to be answered. */
  message?: string | object | Uint8Array;
  onStage?: StageObserver;
}

function userMessage(message: RequestSources['message']) {
  if (typeof message !== 'string') return jsonPart(message, '/message');
  return message.trim() === '' ? undefined : textContent(message);
}

/**
 * Makes one request: build_user_message, snapshot_history, validate_history, prepare_prompt_arguments,
 * compile_prompt, assemble. `thread` stays as it is: append the message once it is sent. A stage that fails
 * throws, so that there is nothing to send.
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
  try {
    await stages.run('validate_history', () => {
      if (content !== undefined) snapshot.append(content);
      checkHistory(snapshot);
    });
    const history = snapshotOf(snapshot);
    const asked = { ...(prompt && { prompt }), ...(given && { arguments: given }) };
    const prepared = await preparePrompt(strata, history, asked, input.now, stages);
    const whole = prepared.into(input);
    const assembled = await stages.run('assemble', () => assembleWhole(snapshot, whole));
    prepared.tell(assembled);
    return assembled;
  } finally {
    snapshot[dispose]();
  }
}
