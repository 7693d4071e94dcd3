// Runs the named stages of a request, of which the last assembles it, and reports the time and error of each.
import { HistoryError, StrataError } from '../internal/errors.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { Thread } from '../types/thread.js';

/** The stages in order. Resuming skips build_user_message; without `prompt`, compile_prompt is skipped. */
export type StageName =
  | 'build_user_message'
  | 'snapshot_history'
  | 'validate_history'
  | 'prepare_prompt_arguments'
  | 'compile_prompt'
  | 'assemble';

/** The report of one finished stage. */
export interface StageReport {
  stage: StageName;
  /** Duration in milliseconds. In Workers the clock only advances with I/O. */
  ms: number;
  /** What the stage threw. The request ends, and nothing is sent. */
  error?: unknown;
}

/** Called when a stage ends. An error that it throws ends the request, too. */
export type StageObserver = (report: StageReport) => void;

/**
 * Runs and times the stages of one request.
 *
 * @internal
 */
export class Stages {
  readonly #observe: StageObserver | undefined;

  constructor(observe?: StageObserver) {
    this.#observe = observe;
  }

  /** Runs one stage; returns its result or throws its error. */
  run<Result>(
    stage: StageName,
    work: () => Result | PromiseLike<Result>,
  ): Result | PromiseLike<Result> {
    return this.#observe ? this.#observed(stage, work) : work();
  }

  async #observed<Result>(
    stage: StageName,
    work: () => Result | PromiseLike<Result>,
  ): Promise<Result> {
    const began = performance.now();
    const report = (outcome: object) =>
      this.#observe?.({ stage, ms: performance.now() - began, ...outcome });
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      report({ error });
      throw error;
    }
    report({});
    return result;
  }
}

/**
 * Assembles a request. Throws HistoryError if the API would refuse it.
 *
 * @internal
 */
export function assembleOrThrow(thread: Thread, input: AssembleInput): Assembled {
  const assembled = thread.assemble(input);
  const { ok, diagnostics } = assembled;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (!ok && fault) throw refusal(fault, diagnostics);
  return assembled;
}

/**
 * Returns the error of a refused request. A setting that is no field of the API is a mistake in the options.
 *
 * @internal
 */
export function refusal(
  { code, message, path }: Diagnostic,
  diagnostics: Diagnostic[],
): StrataError {
  const isOption = code.startsWith('field.') && !path.startsWith('/contents');
  const Refusal = isOption ? StrataError : HistoryError;
  return new Refusal(code, `${message} (${path})`, diagnostics);
}
