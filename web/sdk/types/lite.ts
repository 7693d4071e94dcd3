// Defines what `prompt-strata/lite` offers of `Strata` and `Thread`.
import type { AssembleInput, Assembled } from './assemble.js';
import type { Strata } from './strata.js';
import type { Thread, ThreadOptions } from './thread.js';

/** A text layer: finished text. Without it the layer is omitted. */
export interface LiteLayerInput {
  text?: string;
}

/** The text layers of a request. */
export interface LiteLayers {
  /** Layer 1. `role: 'user'` sends it as the first Content instead of `systemInstruction`. Default: `system`. */
  static?: LiteLayerInput & { role?: 'system' | 'user' };
  /** Layer 2, one JSON text. `before-current-turn` places it after the old history. Default: `after-static`. */
  dynamic?: LiteLayerInput & { placement?: 'after-static' | 'before-current-turn' };
}

/** `AssembleInput` without templates, compiled prompts and caches. */
export type LiteAssembleInput = Omit<
  AssembleInput,
  'compiled' | 'static' | 'dynamic' | 'cache' | 'strict'
> &
  LiteLayers;

/** `ThreadOptions` for a saved thread or a list of Contents, which are read as they are. */
export type LiteThreadOptions = Omit<ThreadOptions, 'format' | 'signatures' | 'signaturesFrom'> & {
  format?: 'strata' | 'gemini';
};

/** `Thread` without compaction and caches. */
export interface LiteThread
  extends
    Pick<
      Thread,
      | 'length'
      | 'tokens'
      | 'imported'
      | 'tail'
      | 'append'
      | 'appendAnswer'
      | 'check'
      | 'content'
      | 'timeline'
      | 'rewind'
      | 'report'
      | 'save'
    >,
    Disposable {
  /**
   * See `Thread.fork`.
   *
   * @throws RangeError if the thread has fewer turns
   */
  fork(length?: number): LiteThread;
  /**
   * See `Thread.assemble`.
   *
   * @throws StrataError for an invalid option, HistoryError for a field or trigger whose text is not JSON
   */
  assemble(input: LiteAssembleInput): Assembled;
}

/** One instance of the smaller core, as `load` of `prompt-strata/lite` returns it. */
export interface LiteStrata extends Pick<
  Strata,
  'version' | 'lint' | 'response' | 'modelLimits' | 'estimateTokens' | 'calibrate'
> {
  /**
   * See `Strata.thread`. `from` is a saved thread or a list of Contents.
   *
   * @throws HistoryError if `from` cannot be read or, unless the policy is `warn`, has errors
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  thread(options: LiteThreadOptions): LiteThread;
}
