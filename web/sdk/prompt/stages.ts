// Why this file exists: a request is made in named stages, so that whoever watches knows which one failed,
// and which one takes its time.

/** In this order. A resumed conversation builds no message; without `prompt` there is nothing to compile. */
export type StageName =
  | 'build_user_message'
  | 'snapshot_history'
  | 'validate_history'
  | 'prepare_prompt_arguments'
  | 'compile_prompt'
  | 'assemble';

/** One stage that ended. */
export interface StageReport {
  stage: StageName;
  /** Milliseconds. In Workers the clock stands still between two waits for the network or a store. */
  ms: number;
  /** What it threw: the request ends here, and nothing is sent. */
  error?: unknown;
}

/** Called as each stage ends. What it throws ends the request, too. */
export type StageObserver = (report: StageReport) => void;

/** The stages of one request, timed. */
export class Stages {
  readonly #observe: StageObserver | undefined;

  constructor(observe?: StageObserver) {
    this.#observe = observe;
  }

  /** Runs one stage; gives what it gives, throws what it throws. */
  async run<Result>(stage: StageName, work: () => Result | PromiseLike<Result>): Promise<Result> {
    const began = performance.now();
    const told = (outcome: object) =>
      this.#observe?.({ stage, ms: performance.now() - began, ...outcome });
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      told({ error });
      throw error;
    }
    told({});
    return result;
  }
}
