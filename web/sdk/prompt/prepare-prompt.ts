// Why this file exists: what changes with each request of a prompt (its arguments, its sections) is asked
// for, built and compiled here, one stage each.
import type { ArgumentSources, BuiltArguments } from '../types/prompt-arguments.js';
import type { PromptInput } from '../types/prompt-input.js';
import type { CompiledPrompt } from '../types/compiled-prompt.js';
import type { AssembleInput, Assembled, LayerInput } from '../types/assemble.js';
import type { Strata } from '../types/strata.js';
import type { HistorySnapshot } from './history.js';
import type { Stages } from './stages.js';

/** The same for every request, or asked for before each. */
type Asked<Value> = Value | ((history: HistorySnapshot) => Value | Promise<Value>);

/** What a request's prompt is made from. */
export interface PromptSources {
  /** Sections, compiled for each request: docs/prompts.md. Its templates read `arguments`. */
  prompt?: Asked<PromptInput>;
  /**
   * What `promptArguments` builds. `now` is the request's; without `history` the user's last words are
   * `message.text`. The layers' templates read them, too, above their own `variables`.
   */
  arguments?: Asked<Partial<ArgumentSources>>;
}

const ask = <Value extends object>(value: Asked<Value> | undefined, history: HistorySnapshot) =>
  typeof value === 'function' ? value(history) : value;

const said = ({ text }: HistorySnapshot) => (text === '' ? [] : [{ role: 'user', text }]);

/** A prompt for one request. */
export class PreparedPrompt {
  readonly #compiled: CompiledPrompt | undefined;
  readonly #built: BuiltArguments | undefined;

  constructor(compiled: CompiledPrompt | undefined, built: BuiltArguments | undefined) {
    this.#compiled = compiled;
    this.#built = built;
  }

  /** A request's input with this prompt, and with the arguments above the variables of its layers. */
  into(input: AssembleInput): AssembleInput {
    return {
      ...input,
      ...(this.#compiled ? { compiled: this.#compiled } : {}),
      ...(input.static ? { static: this.#over(input.static) } : {}),
      ...(input.dynamic ? { dynamic: this.#over(input.dynamic) } : {}),
    };
  }

  /** Tells with a request what was noticed about the arguments. */
  tell({ diagnostics, manifest }: Assembled): void {
    const found = this.#built?.diagnostics ?? [];
    diagnostics.push(...found);
    manifest.diagnostics.push(...found);
  }

  #over<Layer extends LayerInput>(layer: Layer): Layer {
    if (!this.#built || layer.text !== undefined) return layer;
    return { ...layer, variables: { ...layer.variables, ...this.#built.arguments } };
  }
}

/** The stages that make a prompt for a history that was found whole. */
export async function preparePrompt(
  strata: Strata,
  history: HistorySnapshot,
  sources: PromptSources,
  now: string,
  stages: Stages,
): Promise<PreparedPrompt> {
  const built = await stages.run('prepare_prompt_arguments', async () => {
    const given = await ask(sources.arguments, history);
    return given && strata.promptArguments({ history: said(history), ...given, now });
  });
  if (sources.prompt === undefined) return new PreparedPrompt(undefined, built);
  const compiled = await stages.run('compile_prompt', async () => {
    const input = await ask(sources.prompt, history);
    return input && strata.compile({ now, ...input, ...(built && { arguments: built.arguments }) });
  });
  return new PreparedPrompt(compiled, built);
}
