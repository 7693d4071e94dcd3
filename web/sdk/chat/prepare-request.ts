// Prepares one request stage by stage: compiles the parts of its prompt that change with each request, checks the
// history, and assembles the body. A conversation does so through a plugin.
import { textContent } from '../internal/contents.js';
import { dispose } from '../internal/lifetime.js';
import type { CoreThread } from '../types/core-objects.js';
import type { ContentInput } from '../types/gemini/contents.js';
import { HistoryError } from '../internal/errors.js';
import { jsonPart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import type { AssembleInput, Assembled, LayerInput } from '../types/assemble.js';
import type { CompiledPrompt } from '../types/compiled-prompt.js';
import type { BuiltArguments } from '../types/prompt-arguments.js';
import type { Thread } from '../types/thread.js';
import { LayerTemplates, templatesEntry } from './layer-templates.js';
import type { HistorySnapshot, PromptSources, ValueOrFactory } from './options.js';
import { assembleOrThrow, Stages, type StageObserver } from './stages.js';

/**
 * Returns a snapshot with the last user turn that holds no tool results.
 *
 * @internal
 */
export const snapshotOf = (thread: Thread): HistorySnapshot =>
  (thread as CoreThread).lastUserText();

/**
 * Throws HistoryError if the API would refuse the history.
 *
 * @internal
 */
export function checkHistory(thread: Thread): void {
  const { diagnostics } = thread.report();
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (fault) throw new HistoryError(fault.code, `${fault.message} (${fault.path})`, diagnostics);
}

const resolve = <Value extends object>(
  value: ValueOrFactory<Value> | undefined,
  history: HistorySnapshot,
) => (typeof value === 'function' ? value(history) : value);

const userMessages = ({ text }: HistorySnapshot) => (text === '' ? [] : [{ role: 'user', text }]);

/**
 * A compiled prompt and its arguments, for one request.
 *
 * @internal
 */
export class PreparedPrompt {
  readonly #compiled: CompiledPrompt | undefined;
  readonly #built: BuiltArguments | undefined;

  constructor(compiled: CompiledPrompt | undefined, built: BuiltArguments | undefined) {
    this.#compiled = compiled;
    this.#built = built;
  }

  /** Returns the input with this prompt; the arguments override the variables of its layers. */
  applyTo(input: AssembleInput): AssembleInput {
    return {
      ...input,
      ...(this.#compiled ? { compiled: this.#compiled } : {}),
      ...(input.static ? { static: this.#withArguments(input.static) } : {}),
      ...(input.dynamic ? { dynamic: this.#withArguments(input.dynamic) } : {}),
    };
  }

  /** Adds the diagnostics of the arguments to a request. */
  addDiagnostics({ diagnostics, manifest }: Assembled): void {
    const found = this.#built?.diagnostics ?? [];
    diagnostics.push(...found);
    manifest.diagnostics.push(...found);
  }

  #withArguments<Layer extends LayerInput>(layer: Layer): Layer {
    if (!this.#built || layer.text !== undefined) return layer;
    return { ...layer, variables: { ...layer.variables, ...this.#built.arguments } };
  }
}

/**
 * Runs the stages that prepare a prompt. The history must be valid.
 *
 * @internal
 */
export async function preparePrompt(
  history: HistorySnapshot,
  sources: PromptSources,
  now: string,
  stages: Stages,
): Promise<PreparedPrompt> {
  const engine = sources.arguments || sources.prompt ? await templatesEntry() : undefined;
  const built = await stages.run('prepare_prompt_arguments', async () => {
    const given = await resolve(sources.arguments, history);
    return given && engine?.promptArguments({ history: userMessages(history), ...given, now });
  });
  if (sources.prompt === undefined) return new PreparedPrompt(undefined, built);
  const compiled = await stages.run('compile_prompt', async () => {
    const input = await resolve(sources.prompt, history);
    return (
      input && engine?.compile({ now, ...input, ...(built && { arguments: built.arguments }) })
    );
  });
  return new PreparedPrompt(compiled, built);
}

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
 * const { body } = await prepareRequest(thread, { now, message: 'Hello', prompt, onStage });
 */
export async function prepareRequest(thread: Thread, sources: RequestSources): Promise<Assembled> {
  must.object(sources, '');
  const { message, onStage, prompt, arguments: given, ...input } = sources;
  const stages = new Stages(onStage);
  const content = await stages.run('build_user_message', () => userMessage(message));
  const snapshot = await stages.run('snapshot_history', () => thread.fork());
  const layers = new LayerTemplates();
  try {
    await stages.run('validate_history', () => {
      if (content !== undefined) snapshot.append(content);
      checkHistory(snapshot);
    });
    const history = snapshotOf(snapshot);
    const promptSources = { ...(prompt && { prompt }), ...(given && { arguments: given }) };
    const prepared = await preparePrompt(history, promptSources, input.now, stages);
    const completeInput = await layers.resolve(prepared.applyTo(input));
    const assembled = await stages.run('assemble', () => assembleOrThrow(snapshot, completeInput));
    prepared.addDiagnostics(assembled);
    return assembled;
  } finally {
    layers[dispose]();
    snapshot[dispose]();
  }
}
