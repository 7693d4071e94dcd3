// Builds and compiles the parts of a prompt that change with each request: arguments and sections, one stage each.
import { dispose } from '../internal/lifetime.js';
import type { ArgumentSources, BuiltArguments } from '../types/prompt-arguments.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { CompiledPrompt } from '../types/compiled-prompt.js';
import type { AssembleInput, Assembled, LayerInput } from '../types/assemble.js';
import type { Strata } from '../types/strata.js';
import type { HistorySnapshot } from './history.js';
import type { Stages } from './stages.js';

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
