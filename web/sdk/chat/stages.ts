// Runs the named stages of a request and reports the time and error of each.

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
