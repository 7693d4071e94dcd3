// Rebuilds the prompt before each request, in the stages that the conversation's options ask for.
import type { ConversationPlugin } from '../sdk/chat/plugin.js';
import type { AssembleInput, Assembled } from '../sdk/types/assemble.js';
import type { Thread } from '../sdk/types/thread.js';
import type { PromptSources } from '../sdk/chat/options.js';
import {
  checkHistory,
  preparePrompt,
  snapshotOf,
  type PreparedPrompt,
} from '../sdk/chat/prepare-request.js';
import { Stages, type StageObserver } from '../sdk/chat/stages.js';

/** The plugin that prepares a new prompt for each request. */
export class PromptPlugin implements ConversationPlugin {
  readonly name = 'prompt';
  readonly #sources: PromptSources;
  readonly #stages: Stages;
  #prepared: PreparedPrompt | undefined;

  constructor(sources: PromptSources & { onStage?: StageObserver }) {
    this.#sources = sources;
    this.#stages = new Stages(sources.onStage);
  }

  async beforeRequest(thread: Thread, input: AssembleInput): Promise<AssembleInput> {
    const stages = this.#stages;
    const history = await stages.run('snapshot_history', () => snapshotOf(thread));
    await stages.run('validate_history', () => checkHistory(thread));
    this.#prepared = undefined;
    this.#prepared = await preparePrompt(history, this.#sources, input.now, stages);
    return this.#prepared.applyTo(input);
  }

  beforeSend(assembled: Assembled): void {
    this.#prepared?.addDiagnostics(assembled);
  }
}
