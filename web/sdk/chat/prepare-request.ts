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
import type { ArgumentSources, BuiltArguments } from '../types/prompt-arguments.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import { assembleOrThrow, Stages, type StageObserver } from './stages.js';

/** What functions for `prompt` and `arguments` receive about the history. */
export interface HistorySnapshot {
  /** Number of turns, including the user's message. */
  turns: number;
  /** The text of the user's last message, also while tools run for it; '' if there is none. */
  text: string;
}

/**
 * Returns a snapshot with the last user turn that holds no tool results.
 *
 * @internal
 */
export const snapshotOf = (thread: Thread): HistorySnapshot =>
  (thread as CoreThread).lastUserText();

/**
 * Throws HistoryError if the API would refuse the history. Diagnostics of its import are not errors here.
 *
 * @internal
 */
export function checkHistory(thread: Thread): void {
  const { diagnostics } = thread.report();
  const fault = diagnostics.find(
    ({ severity, code }) => severity === 'error' && !code.startsWith('import.'),
  );
  if (fault) throw new HistoryError(fault.code, `${fault.message} (${fault.path})`, diagnostics);
}

/** A value for every request, or a function that is called before each. */
export type ValueOrFactory<Value> = Value | ((history: HistorySnapshot) => Value | Promise<Value>);

/** The sources of a request's prompt. */
export interface PromptSources {
  /** Sections that are compiled for each request: docs/prompts.md. Their templates can read `arguments`. */
  prompt?: ValueOrFactory<PromptInput> | undefined;
  /**
   * Input of `promptArguments`. `now` is the request's. Without `history`, `message.text` is the text of the
   * user's last message. The layers' templates can read the arguments, too; they override `variables`.
   */
  arguments?: ValueOrFactory<Partial<ArgumentSources>> | undefined;
}

const resolve = <Value extends object>(
  value: ValueOrFactory<Value> | undefined,
  history: HistorySnapshot,
) => (typeof value === 'function' ? value(history) : value);

const userMessages = ({ text }: HistorySnapshot) => (text === '' ? [] : [{ role: 'user', text }]);

/**
 * A compiled prompt and its arguments, for one request. Dispose it when the request is assembled.
 *
 * @internal
 */
export class PreparedPrompt implements Disposable {
  readonly #compiled: (CompiledPrompt & Disposable) | undefined;
  readonly #built: BuiltArguments | undefined;

  constructor(
    compiled: (CompiledPrompt & Disposable) | undefined,
    built: BuiltArguments | undefined,
  ) {
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

  [dispose](): void {
    this.#compiled?.[dispose]();
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
  strata: Strata,
  history: HistorySnapshot,
  sources: PromptSources,
  now: string,
  stages: Stages,
): Promise<PreparedPrompt> {
  const built = await stages.run('prepare_prompt_arguments', async () => {
    const given = await resolve(sources.arguments, history);
    return given && strata.promptArguments({ history: userMessages(history), ...given, now });
  });
  if (sources.prompt === undefined) return new PreparedPrompt(undefined, built);
  const compiled = await stages.run('compile_prompt', async () => {
    const input = await resolve(sources.prompt, history);
    return input && strata.compile({ now, ...input, ...(built && { arguments: built.arguments }) });
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
