// Defines the options of `compression`.
import * as must from '../internal/options.js';

/** Options of `compression`. */
export interface CompressionOptions {
  /**
   * `snapshot` (default): compresses above `threshold` of the model's context. If no summary can be made, the
   * thread stays unchanged. `budget`: compresses above 80% of the context minus `reserve`, to a summary of
   * about 10% of that. If no summary can be made, the oldest turns are removed.
   */
  form?: 'snapshot' | 'budget';
  /** Share of the context above which a history is summarized. Default: 0.5. */
  threshold?: number;
  /** Share of the history, by length, that stays unchanged, less than 1. With 0, only the current turn, or its newest step, stays. Default: 0.3. */
  keep?: number;
  /** Size of the model's context in tokens. Default: the model's row in the catalogue. */
  contextTokens?: number;
  /** Tokens reserved for the answer (`budget`). Default: 16,000, but at most a quarter of `contextTokens`. */
  reserve?: number;
  /** The model that writes the summary. Default: the conversation's model. */
  model?: string;
  /** Sends a second request that checks whether the summary is complete. Default: true for `snapshot`. */
  check?: boolean;
}

/**
 * Returns the tokens that a context of this size reserves for the answer by default.
 *
 * @internal
 */
export const defaultReserve = (contextTokens: number): number =>
  Math.min(16_000, Math.floor(contextTokens / 4));

const eachOption = must.shape<CompressionOptions>({
  form: must.optional(must.oneOf('snapshot', 'budget')),
  threshold: must.optional(must.share),
  keep: must.optional(must.share),
  contextTokens: must.optional(must.nonNegative),
  reserve: must.optional(must.nonNegative),
  model: must.optional(must.string),
  check: must.optional(must.boolean),
});

/** @internal */
export const compressionOptions: must.Check = (value, path) => {
  eachOption(value, path);
  const { keep, contextTokens = Infinity, reserve = 0 } = Object(value) as CompressionOptions;
  if (keep === 1) throw must.invalidOption(`${path}/keep`, 'less than 1');
  if (reserve > 0 && reserve >= contextTokens) {
    throw must.invalidOption(`${path}/reserve`, 'less than contextTokens');
  }
};
